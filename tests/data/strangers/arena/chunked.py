"""A bot on asyncio. Decides slowly, in a thread.

Writes HTTP chunks by hand: an extension follows each chunk's size, and a trailer follows the last chunk.
"""
import asyncio
import json
import sys
import time


def think(state):
    time.sleep(0.01)
    valid = state["valid_actions"]
    for wish in ("call", "check", "all_in", "fold"):
        for one in valid:
            if one["action"] == wish:
                return {"note": "\u2660", "amount": one["amount"], "action": wish}
    raise LookupError(valid)


async def serve(reader, writer):
    try:
        while True:
            head = (await reader.readuntil(b"\r\n\r\n")).lower()
            length = int(head.split(b"content-length:")[1].split(b"\r\n")[0]) if b"content-length:" in head else 0
            body = await reader.readexactly(length)
            if not head.startswith(b"post /action"):
                writer.write(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
                continue
            text = json.dumps(await asyncio.to_thread(think, json.loads(body)), ensure_ascii=False).encode()
            writer.write(b"HTTP/1.1 200 OK\r\nTRANSFER-ENCODING: chunked\r\nCONTENT-TYPE: application/json;charset=UTF-8\r\n\r\n")
            for at in range(0, len(text), 9):
                piece = text[at : at + 9]
                writer.write(b"%x;why=not\r\n%s\r\n" % (len(piece), piece))
            writer.write(b"0\r\nX-Last: word\r\n\r\n")
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        writer.close()


async def main():
    async with await asyncio.start_server(serve, "127.0.0.1", int(sys.argv[1])) as server:
        await server.serve_forever()


asyncio.run(main())
