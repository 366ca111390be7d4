#!/usr/bin/env python3
"""Writes bumble.txt: Bumble's cryptography, and AES-CCM of the library below it, on random input.

Each line is a function, its arguments and after '=' its results, in hexadecimal, nothing being '-'. Bytes are in the
order of SMP and HCI packets, least significant first, where nothing else is said. The input comes from a fixed seed, so
that two runs write the same file; another seed may be given. Run with a Python that has Bumble:

    write_bumble_vectors.py [SEED] > bumble.txt
"""

import importlib.metadata
import random
import sys

from bumble import crypto
from bumble.crypto.cryptography import EccKey
from cryptography.hazmat.primitives.ciphers.aead import AESCCM

ROUNDS = 25
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551

draw = random.Random(sys.argv[1] if len(sys.argv) > 1 else "bluethroat")


def line(name, arguments, results):
    text = " ".join(value.hex() or "-" for value in arguments)
    print(f"{name} {text} = {' '.join(value.hex() for value in results)}")


def address():
    return draw.randbytes(6)


def kind():
    return draw.randrange(2)


def e():
    key, plaintext = draw.randbytes(16), draw.randbytes(16)
    line("e", [key, plaintext], [crypto.e(key, plaintext)])


def ah():
    key, prand = draw.randbytes(16), draw.randbytes(3)
    line("ah", [key, prand], [crypto.ah(key, prand)])


def cmac():
    """Key, message and code most significant byte first, as CMAC has them."""
    key, message = draw.randbytes(16), draw.randbytes(draw.randrange(100))
    line("cmac", [key, message], [crypto.aes_cmac(message, key)])


def c1():
    k, r, preq, pres = draw.randbytes(16), draw.randbytes(16), draw.randbytes(7), draw.randbytes(7)
    iat, rat, ia, ra = kind(), kind(), address(), address()
    result = crypto.c1(k, r, preq, pres, iat, rat, ia, ra)
    line("c1", [k, r, preq, pres, bytes([iat]), ia, bytes([rat]), ra], [result])


def s1():
    k, r1, r2 = draw.randbytes(16), draw.randbytes(16), draw.randbytes(16)
    line("s1", [k, r1, r2], [crypto.s1(k, r1, r2)])


def f4():
    u, v, x, z = draw.randbytes(32), draw.randbytes(32), draw.randbytes(16), draw.randbytes(1)
    line("f4", [u, v, x, z], [crypto.f4(u, v, x, z)])


def f5():
    w, n1, n2 = draw.randbytes(32), draw.randbytes(16), draw.randbytes(16)
    a1, a2 = address() + bytes([kind()]), address() + bytes([kind()])
    line("f5", [w, n1, n2, a1, a2], crypto.f5(w, n1, n2, a1, a2))


def f6():
    w, n1, n2, r = draw.randbytes(16), draw.randbytes(16), draw.randbytes(16), draw.randbytes(16)
    io_cap, a1, a2 = draw.randbytes(3), address() + bytes([kind()]), address() + bytes([kind()])
    line("f6", [w, n1, n2, r, io_cap, a1, a2], [crypto.f6(w, n1, n2, r, io_cap, a1, a2)])


def g2():
    """The result most significant byte first."""
    u, v, x, y = draw.randbytes(32), draw.randbytes(32), draw.randbytes(16), draw.randbytes(16)
    line("g2", [u, v, x, y], [crypto.g2(u, v, x, y).to_bytes(4, "big")])


def h6():
    """The name of the key most significant byte first."""
    w, key_id = draw.randbytes(16), draw.randbytes(4)
    line("h6", [w, key_id], [crypto.h6(w, key_id)])


def h7():
    """The salt most significant byte first."""
    salt, w = draw.randbytes(16), draw.randbytes(16)
    line("h7", [salt, w], [crypto.h7(salt, w)])


def dh():
    """Two private keys; both public keys and the secret they share."""
    private = [draw.randrange(1, ORDER).to_bytes(32, "big") for _ in range(2)]
    own, peer = (EccKey.from_private_key_bytes(key) for key in private)
    secret = own.dh(peer.x, peer.y)
    assert secret == peer.dh(own.x, own.y)
    public = [key.x[::-1] + key.y[::-1] for key in (own, peer)]
    line("dh", [key[::-1] for key in private], public + [secret[::-1]])


def ccm(length):
    """Long term key, diversifiers and vectors of central and peripheral, counter (5 bytes, the direction in the
    topmost bit), first octet of the header, payload; then the encrypted payload with its MIC.
    """
    ltk, skd_c, skd_p = draw.randbytes(16), draw.randbytes(8), draw.randbytes(8)
    iv_c, iv_p, place = draw.randbytes(4), draw.randbytes(4), draw.randbytes(5)
    header, payload = draw.randrange(256), draw.randbytes(length)
    session_key = crypto.e(ltk, skd_c + skd_p)[::-1]
    nonce = place + iv_c + iv_p
    encrypted = AESCCM(session_key, tag_length=4).encrypt(nonce, payload, bytes([header & 0xE3]))
    line("ccm", [ltk, skd_c, skd_p, iv_c, iv_p, place, bytes([header]), payload], [encrypted])


versions = " and cryptography ".join(importlib.metadata.version(name) for name in ("bumble", "cryptography"))
print(f"# Written by Bumble {versions}; write_bumble_vectors.py says what the columns are.")
for function in (e, ah, cmac, c1, s1, f4, f5, f6, g2, h6, h7, dh):
    for _ in range(ROUNDS):
        function()
for length in [1, 2, 15, 16, 17, 26, 27, 28, 31, 32, 33, 100, 240, 241, 250, 251]:
    ccm(length)
    ccm(length)
