"""A bot on asyncio streams. Its amounts are strings.

Writes HTTP by hand, with headers in capitals. Closes the connection after each answer.
"""
import asyncio
import json
import sys
from urllib.parse import parse_qsl


async def serve(reader, writer):
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    first, *lines = head.split("\r\n")
    method, target, _ = first.split(" ")
    headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines if line)}
    form = dict(parse_qsl((await reader.readexactly(int(headers.get("content-length", 0)))).decode()))
    body = "OK\n"
    if target == "/player/action":
        if form["blind"] == "true":
            answer = {"amount": form["minimum_bet"], "action": "blind"}
        elif int(form["your_chips"]) <= int(form["minimum_bet"]):
            answer = {"amount": "", "action": "fold", "why": "poor"}
        else:
            answer = {"amount": form["minimum_bet"], "action": "bet", "seen": form["betting_phase"]}
        body = json.dumps(answer, indent=2) + "\n"
    writer.write(b"HTTP/1.1 200 OK\r\nCONTENT-LENGTH: %d\r\n\r\n" % len(body) + body.encode())
    await writer.drain()
    writer.close()


async def main():
    server = await asyncio.start_server(serve, "127.0.0.1", int(sys.argv[1]))
    await server.serve_forever()


asyncio.run(main())
