// The system's libcrypto, OpenSSL 3, used only in builds without the trait SwiftCrypto.
#ifndef BLUETHROAT_LIBCRYPTO_H
#define BLUETHROAT_LIBCRYPTO_H

#if !__has_include(<openssl/evp.h>)
#error "openssl/evp.h is missing: install libssl-dev (Fedora: openssl-devel), or ask bluethroat for its trait SwiftCrypto, which does without"
#else

// What OpenSSL 3 has declared deprecated is not there at all.
#define OPENSSL_API_COMPAT 30000
#define OPENSSL_NO_DEPRECATED

#include <openssl/opensslv.h>
#if !defined(OPENSSL_VERSION_MAJOR) || OPENSSL_VERSION_MAJOR < 3
#error "OpenSSL is older than 3.0: install a newer libssl-dev (Fedora: openssl-devel), or ask bluethroat for its trait SwiftCrypto, which does without"
#else
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/obj_mac.h>
#include <openssl/params.h>
#endif
#endif

#endif
