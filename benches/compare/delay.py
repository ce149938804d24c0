#!/usr/bin/env python3
"""A long line: passes bytes through as they are, each answer later by a fixed time.

Usage: delay.py PORT MILLISECONDS PORT_FILE

Listens on a free loopback port, which it writes to PORT_FILE, and passes each connection on to PORT. What comes
back from there waits so long, counted from its arrival: every turn of request and answer takes that much longer,
and a body in flight is as fast as before.
"""
import asyncio
import os
import sys

PIECE = 64 << 10
PIECES_IN_FLIGHT = 256


async def forward(reader, writer):
    """Passes bytes on at once."""
    while piece := await reader.read(PIECE):
        writer.write(piece)
        await writer.drain()
    if writer.can_write_eof():
        writer.write_eof()


async def forward_late(reader, writer, delay):
    """Passes bytes on when their time has come."""
    now = asyncio.get_running_loop().time
    line = asyncio.Queue(PIECES_IN_FLIGHT)

    async def deliver():
        while True:
            due, piece = await line.get()
            await asyncio.sleep(due - now())
            if not piece:
                break
            writer.write(piece)
            await writer.drain()
        writer.write_eof()

    async def receive():
        while True:
            piece = await reader.read(PIECE)
            await line.put((now() + delay, piece))
            if not piece:
                break

    async with asyncio.TaskGroup() as group:
        group.create_task(receive())
        group.create_task(deliver())


async def serve(port, delay, port_file):
    async def connect(reader, writer):
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", port)
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(forward(reader, far_writer))
                group.create_task(forward_late(far_reader, writer, delay))
        except* (ConnectionError, BrokenPipeError):
            pass  # Either side may hang up.
        finally:
            far_writer.close()
            writer.close()

    server = await asyncio.start_server(connect, "127.0.0.1", 0)
    with open(port_file + ".new", "w", encoding="ascii") as file:
        file.write(str(server.sockets[0].getsockname()[1]))
    os.rename(port_file + ".new", port_file)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1]), float(sys.argv[2]) / 1000, sys.argv[3]))
