#!/usr/bin/python3
"""asked.py MODE FOLDER [SOCKET] - a process that looks like .NET, with a hostile diagnostic socket.

The mode is the answer: magic, length, silence, drip (a byte each second), flood, refuse,
unknown (to every request), endless (a trace that does not end), dies (after it has begun a map); or link, hard: the
socket is a link to SOCKET; or listen: prints the bytes that arrive.
Prints "ready" when the socket is there.
"""
import mmap
import os
import socket
import struct
import sys
import time

mode, folder = sys.argv[1:3]
with open(folder + "/libcoreclr.so", "w+b") as file:
    file.write(b"\0" * 4096)
    file.flush()
    mapped = mmap.mmap(file.fileno(), 4096, prot=mmap.PROT_READ)
began = open("/proc/self/stat").read().rsplit(")", 1)[1].split()[19]
path = f"{folder}/dotnet-diagnostic-{os.getpid()}-{began}-socket"
if mode == "link":
    os.symlink(sys.argv[3], path)
elif mode == "hard":
    os.link(sys.argv[3], path)
else:
    server = socket.socket(socket.AF_UNIX)
    server.bind(path)
    server.listen()
print("ready", flush=True)
if mode in ("link", "hard"):
    time.sleep(600)


def reply(command, payload):
    return b"DOTNET_IPC_V1\0" + struct.pack("<HBBH", 20 + len(payload), 255, command, 0) + payload


ANSWERS = {
    "magic": b"DOTNET_IPC_V2\0" + struct.pack("<HBBHi", 24, 255, 0, 0, 0),
    "length": b"DOTNET_IPC_V1\0" + struct.pack("<HBBHi", 0xffff, 255, 0, 0, 0),
    "flood": reply(0, b"\0" * 4) + b"\0" * 200000,
    "refuse": reply(255, struct.pack("<I", 0x80070057)),
    "unknown": reply(255, struct.pack("<I", 0x80131385)),
}
while True:
    peer, _ = server.accept()
    try:
        got = peer.recv(1000)
        if mode == "listen":
            if got:
                print("got", got, flush=True)
        elif mode == "endless":
            # The command set of EnablePerfMap is 4, of a trace 2.
            if got[16] == 4:
                peer.sendall(ANSWERS["unknown"])
            elif got[17] != 1:
                peer.sendall(reply(0, struct.pack("<Q", 7)) + b"Nettrace")
                for _ in range(600):
                    peer.sendall(b"\0")
                    time.sleep(1)
        elif mode == "dies":
            open(f"/tmp/perf-{os.getpid()}.map", "w").close()
            os._exit(0)
        elif mode == "silence":
            time.sleep(600)
        elif mode == "drip":
            for byte in reply(0, b"\0" * 40):
                peer.sendall(bytes([byte]))
                time.sleep(1)
        else:
            peer.sendall(ANSWERS[mode])
    except OSError:
        pass
    peer.close()
