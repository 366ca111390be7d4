"""Clients of a TCP port that send as fast as it takes what they send, many at once, in a process of its own.

The plan comes as JSON on standard input; the process ends at SIGTERM, or when all have been dropped that come only once,
and prints how long each was there.
"""

import contextlib
import json
import os
import select
import signal
import socket
import sys
import time

from crowds import room_for


class Client:
    def __init__(self, plan):
        self.began = time.monotonic()
        self.plan = plan
        self.left = bytes.fromhex(plan["first"])
        self.has_ended = False
        self.socket = socket.socket()
        self.socket.setblocking(False)
        if not plan["reads"]:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        with contextlib.suppress(BlockingIOError):
            self.socket.connect(("127.0.0.1", plan["port"]))

    def go_on(self, events):
        """False when it has been dropped."""
        try:
            if events & (select.EPOLLHUP | select.EPOLLERR):
                return False
            if events & select.EPOLLIN and self.plan["reads"]:
                if not self.socket.recv(1 << 16):
                    return False
                if self.plan["in_turns"]:
                    self.left += bytes.fromhex(self.plan["again"])
            if events & select.EPOLLOUT:
                if not self.plan["in_turns"] and not self.plan["ends"]:
                    self.left = self.left or bytes.fromhex(self.plan["again"])
                self.left = self.left[self.socket.send(self.left) :] if self.left else b""
                if self.plan["ends"] and not self.left:
                    self.has_ended = True
                    self.socket.shutdown(socket.SHUT_WR)
        except BlockingIOError:
            pass
        except OSError:
            return False
        return True

    @property
    def interest(self):
        reads = select.EPOLLIN if self.plan["reads"] else 0
        writes = not self.has_ended and (self.left or not self.plan["in_turns"])
        return reads | (select.EPOLLOUT if writes else 0)


def main(plan):
    room_for(plan["count"])
    poll, clients, stays, ended = select.epoll(), {}, [], []
    signal.signal(signal.SIGTERM, lambda *_: ended.append(True))

    def come():
        client = Client(plan)
        clients[client.socket.fileno()] = client
        poll.register(client.socket, client.interest)

    def stay(client):
        stays.append(time.monotonic() - client.began)

    for _ in range(plan["count"]):
        come()
    print("here", flush=True)
    while clients and not ended and os.getppid() == plan["parent"]:
        for descriptor, events in poll.poll(0.2):
            client = clients[descriptor]
            if client.go_on(events):
                poll.modify(client.socket, client.interest)
                continue
            poll.unregister(client.socket)
            del clients[descriptor]
            client.socket.close()
            stay(client)
            if not plan["once"]:
                come()
    for client in clients.values():
        stay(client)
    print(json.dumps(stays))


if __name__ == "__main__":
    main(json.load(sys.stdin))
