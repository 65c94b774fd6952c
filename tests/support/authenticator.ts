import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'
import type { NewPasskeyOptions, PasskeyAnswer, PasskeyOptions } from '#contracts/sign-in.ts'

/** A fake passkey authenticator. Tests can falsify parts of its responses. */

type Flags = { isPresent: boolean; isVerified: boolean; isSyncable: boolean; isSynced: boolean }
type Overrides = Partial<Flags> & { origin?: string; rpId?: string; challenge?: string; type?: string; counter?: number; fmt?: string }

type StoredPasskey = { id: Buffer; privateKey: KeyObject; userHandle: string; counter: number }

export type Authenticator = ReturnType<typeof createAuthenticator>

export function createAuthenticator({ origin, counts = true }: { origin: string; counts?: boolean }) {
  const kept: StoredPasskey[] = []

  const clientData = (type: string, challenge: string, wrong: Overrides) =>
    Buffer.from(
      JSON.stringify({
        type: wrong.type ?? type,
        challenge: wrong.challenge ?? challenge,
        origin: wrong.origin ?? origin,
        crossOrigin: false,
      }),
    )

  function authenticatorData(rpId: string, counter: number, attested: Buffer | null, wrong: Overrides): Buffer {
    const { isPresent = true, isVerified = true, isSyncable = true, isSynced = true } = wrong
    const flags = (isPresent ? 1 : 0) | (isVerified ? 4 : 0) | (isSyncable ? 8 : 0) | (isSynced ? 16 : 0) | (attested ? 64 : 0)
    const count = Buffer.alloc(4)
    count.writeUInt32BE(wrong.counter ?? counter)
    const rpIdHash = createHash('sha256')
      .update(wrong.rpId ?? rpId)
      .digest()
    return Buffer.concat([rpIdHash, Buffer.from([flags]), count, attested ?? Buffer.alloc(0)])
  }

  return {
    kept,
    make(options: NewPasskeyOptions, wrong: Overrides = {}) {
      const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const { x, y } = publicKey.export({ format: 'jwk' }) as { x: string; y: string }
      const id = randomBytes(20)
      const passkey = { id, privateKey, userHandle: options.user.id, counter: counts ? 1 : 0 }
      kept.push(passkey)
      const cose = cbor(
        new Map<number, number | Buffer>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, Buffer.from(x, 'base64url')],
          [-3, Buffer.from(y, 'base64url')],
        ]),
      )
      const aaguid = Buffer.from('d548826e79b4db40a3d811116f7e8349', 'hex')
      const attested = Buffer.concat([aaguid, Buffer.from([0, id.length]), id, cose])
      const authData = authenticatorData(options.rp.id, passkey.counter, attested, wrong)
      const attestation = cbor(
        new Map<string, unknown>([
          ['fmt', wrong.fmt ?? 'none'],
          ['attStmt', new Map()],
          ['authData', authData],
        ]),
      )
      return {
        id: id.toString('base64url'),
        rawId: id.toString('base64url'),
        type: 'public-key' as const,
        response: {
          clientDataJSON: clientData('webauthn.create', options.challenge, wrong).toString('base64url'),
          attestationObject: attestation.toString('base64url'),
          transports: ['internal', 'hybrid'],
        },
      }
    },
    show(options: PasskeyOptions, wrong: Overrides & { passkey?: StoredPasskey; userHandle?: string } = {}): PasskeyAnswer {
      const passkey = wrong.passkey ?? kept[0]
      if (!passkey) throw new Error('this device has no passkey')
      if (counts) passkey.counter++
      const client = clientData('webauthn.get', options.challenge, wrong)
      const authData = authenticatorData(options.rpId, passkey.counter, null, wrong)
      const signed = Buffer.concat([authData, createHash('sha256').update(client).digest()])
      const id = passkey.id.toString('base64url')
      return {
        id,
        rawId: id,
        type: 'public-key',
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: authData.toString('base64url'),
          signature: createSign('SHA256').update(signed).sign(passkey.privateKey).toString('base64url'),
          userHandle: wrong.userHandle ?? passkey.userHandle,
        },
      }
    },
  }
}

/** The subset of CBOR (RFC 8949) that authenticators use: small integers, bytes, text, maps. */
function cbor(value: unknown): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (value instanceof Map) return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, each]) => [cbor(key), cbor(each)])])
  throw new Error(`no CBOR for ${typeof value}`)
}

function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length])
  if (length < 256) return Buffer.from([(major << 5) | 24, length])
  return Buffer.from([(major << 5) | 25, length >> 8, length & 255])
}
