/**
 * The outlines of the suits in a box of 100 by 100, as SVG paths. `broadcast/recordings/drawing.py` reads this file to
 * draw link pictures, and understands only the commands M, C, c, H, h and z.
 */

export const SUITS = {
  h: "M50 93C21 68 5 50 5 30 5 16 16 7 28 7c10 0 18 6 22 15C54 13 62 7 72 7c12 0 23 9 23 23 0 20-16 38-45 63z",
  d: "M50 2C60 20 74 37 91 50 74 63 60 80 50 98 40 80 26 63 9 50 26 37 40 20 50 2z",
  s: "M50 4C36 27 7 42 7 63c0 12 9 20 20 20 8 0 14-4 18-10-1 11-5 18-13 23h36c-8-5-12-12-13-23 4 6 10 10 18 10 11 0 20-8 20-20C93 42 64 27 50 4z",
  c: "M50 5c12 0 21 9 21 20 0 7-3 12-7 16 2-1 5-2 8-2 12 0 21 9 21 21 0 12-9 21-21 21c-8 0-14-4-18-10 0 11 4 19 12 25H34c8-6 12-14 12-25-4 6-10 10-18 10C16 81 7 72 7 60c0-12 9-21 21-21c3 0 6 1 8 2-4-4-7-9-7-16C29 14 38 5 50 5z",
};
