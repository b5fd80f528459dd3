/* The requests of many viewers of a published show, each on one connection, by epoll. Reports the outcome.

   viewers PORT VIEWERS ARRIVAL_MS LENGTH_MS EVERY_MS PHASE_MS LATE_MS INDEX COMING
   Viewers arrive evenly within ARRIVAL_MS and request, one after the other, what the file COMING lists, "METHOD PATH" in
   each line. From then on they request the path INDEX after every moment that is PHASE_MS after a multiple of EVERY_MS
   since 1970, 500 to 2500 ms later as the page does, and name the one they have. */

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { HEAD = 4096, MOST_COMING = 512, SLOTS = 200000, AT_ONCE = 512, AFTER_MS = 500, SPREAD_MS = 2000 };

typedef struct {
  int line, coming, waiting, is_head, filled, in_body;
  long body;
  double due, asked;
  char head[HEAD], tag[64];
} Viewer;

static Viewer *viewers;
static char *coming[MOST_COMING];
static int comings, epoll, port;
static double every, phase;
static const char *index_path;
static long answers, errors, late, indexes, unchanged, bytes, slots[SLOTS]; /* slots: answers by tenths of a ms */
static double late_ms, slowest;

static double clock_ms(clockid_t id) {
  struct timespec now;
  clock_gettime(id, &now);
  return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

static double now_ms(void) { return clock_ms(CLOCK_MONOTONIC); }

static void call(Viewer *viewer) {
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = viewer};
  int yes = 1;
  viewer->line = socket(AF_INET, SOCK_STREAM, 0);
  if (viewer->line < 0 || connect(viewer->line, (struct sockaddr *)&to, sizeof to)) {
    perror("viewers: no connection");
    exit(1);
  }
  setsockopt(viewer->line, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  fcntl(viewer->line, F_SETFL, O_NONBLOCK);
  epoll_ctl(epoll, EPOLL_CTL_ADD, viewer->line, &event);
}

static void hang_up(Viewer *viewer) {
  close(viewer->line);
  viewer->line = -1;
}

static void ask(Viewer *viewer) {
  char text[1024], known[96] = "";
  int at_index = viewer->coming == comings;
  const char *what = coming[viewer->coming];
  if (at_index && viewer->tag[0]) snprintf(known, sizeof known, "If-None-Match: %s\r\n", viewer->tag);
  int length = snprintf(
      text, sizeof text,
      "%s%s HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\nAccept-Encoding: gzip, deflate, br, zstd\r\n"
      "Accept-Language: en-GB,en;q=0.9\r\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36\r\n%s\r\n",
      at_index ? "GET " : "", at_index ? index_path : what, known);
  viewer->is_head = !at_index && !strncmp(what, "HEAD", 4);
  viewer->asked = now_ms();
  viewer->waiting = 1;
  viewer->filled = viewer->in_body = 0;
  if (viewer->line < 0) call(viewer);
  if (send(viewer->line, text, length, MSG_NOSIGNAL) == length) return;
  hang_up(viewer); /* the host closes what was idle for long: a browser calls again */
  call(viewer);
  if (send(viewer->line, text, length, MSG_NOSIGNAL) != length) errors++;
}

/* When the next index is asked for: soon after it is due, at a moment of the viewer's own. */
static double next_due(void) {
  double world = clock_ms(CLOCK_REALTIME), passed = world - phase;
  double due = every - (passed - every * (long)(passed / every));
  return now_ms() + due + AFTER_MS + SPREAD_MS * drand48();
}

static void answered(Viewer *viewer) {
  double took = now_ms() - viewer->asked;
  int slot = took * 10 < SLOTS ? (int)(took * 10) : SLOTS - 1;
  slots[slot]++;
  answers++;
  late += took > late_ms;
  if (took > slowest) slowest = took;
  viewer->waiting = 0;
  if (viewer->coming < comings) viewer->coming++;
  else indexes++;
  viewer->due = viewer->coming < comings ? 0 : next_due();
}

static long number_of(const char *head, const char *name) {
  const char *found = strcasestr(head, name);
  return found ? atol(found + strlen(name)) : 0;
}

/* Takes what is there of the head; returns how many bytes of `got` belong to it, -1 where more of it is to come. */
static long take_head(Viewer *viewer, const char *got, long count) {
  int before = viewer->filled;
  long room = HEAD - 1 - before, taken = count < room ? count : room;
  memcpy(viewer->head + before, got, taken);
  viewer->head[viewer->filled += taken] = 0;
  char *end = strstr(viewer->head, "\r\n\r\n");
  if (!end) return -1;
  end[2] = 0;
  int status = atoi(viewer->head + 9);
  errors += status != 200 && status != 304;
  unchanged += status == 304;
  viewer->body = viewer->is_head || status == 304 ? 0 : number_of(viewer->head, "\r\nContent-Length:");
  char *tag = strcasestr(viewer->head, "\r\nETag: ");
  if (tag && viewer->coming == comings) sscanf(tag + 8, "%63[^\r]", viewer->tag);
  viewer->in_body = 1;
  return end + 4 - viewer->head - before;
}

static void hear(Viewer *viewer) {
  char got[65536];
  for (;;) {
    long count = recv(viewer->line, got, sizeof got, 0), used = 0;
    if (count < 0 && errno == EAGAIN) return;
    if (count <= 0) {
      errors += viewer->waiting;
      hang_up(viewer);
      if (viewer->waiting) ask(viewer);
      return;
    }
    bytes += count;
    if (!viewer->in_body && (used = take_head(viewer, got, count)) < 0) continue;
    viewer->body -= count - used;
    if (viewer->body <= 0 && viewer->waiting) answered(viewer);
  }
}

static double percentile(double share) {
  long left = (long)(answers * share);
  for (int slot = 0; slot < SLOTS; slot++)
    if ((left -= slots[slot]) < 0) return slot / 10.0;
  return slowest;
}

static void read_coming(const char *name) {
  char text[900];
  FILE *file = fopen(name, "r");
  while (file && comings < MOST_COMING - 1 && fgets(text, sizeof text, file)) {
    text[strcspn(text, "\n")] = 0;
    if (text[0]) coming[comings++] = strdup(text);
  }
  if (file) fclose(file);
}

int main(int count, char **words) {
  if (count != 10) return 2;
  port = atoi(words[1]);
  int number = atoi(words[2]);
  double arrival = atof(words[3]), length = atof(words[4]);
  every = atof(words[5]), phase = atof(words[6]), late_ms = atof(words[7]), index_path = words[8];
  read_coming(words[9]);
  struct rlimit files;
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
  viewers = calloc(number, sizeof *viewers);
  epoll = epoll_create1(0);
  double begun = now_ms();
  for (int at = 0; at < number; at++) viewers[at].line = -1, viewers[at].due = begun + arrival * at / number;
  struct epoll_event heard[AT_ONCE];
  for (double now = begun, looked = 0; now < begun + length; now = now_ms()) {
    int ready = epoll_wait(epoll, heard, AT_ONCE, 1);
    for (int at = 0; at < ready; at++) hear(heard[at].data.ptr);
    if (now - looked < 2) continue;
    looked = now;
    for (int at = 0; at < number; at++)
      if (!viewers[at].waiting && viewers[at].due <= now) ask(&viewers[at]);
  }
  long waiting = 0;
  for (int at = 0; at < number; at++) waiting += viewers[at].waiting && now_ms() - viewers[at].asked > late_ms;
  printf("{\"answers\": %ld, \"errors\": %ld, \"late\": %ld, \"indexes\": %ld, \"unchanged\": %ld, \"bytes\": %ld, "
         "\"p50_ms\": %.1f, \"p99_ms\": %.1f, \"slowest_ms\": %.1f, \"client_s\": %.2f}\n",
         answers, errors, late + waiting, indexes, unchanged, bytes, percentile(0.5), percentile(0.99), slowest,
         clock_ms(CLOCK_PROCESS_CPUTIME_ID) / 1e3);
  return 0;
}
