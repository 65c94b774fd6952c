import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { createOutside } from '#server/adapters/outside/call-outside.ts'
import { OutsideRefused } from '#server/kernel/context.ts'
import { storedVapidKeys } from '#server/secrets.ts'
import { createPusher, type PushRequest, pushTransport } from './vapid-pusher.ts'

const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'sungrove-vapid-'))
afterAll(() => fs.rmSync(dataDir, { recursive: true }))

const browser = createECDH('prime256v1')
const auth = randomBytes(16)
const target = {
  endpoint: 'https://push.example.com/send/abc',
  p256dh: browser.generateKeys('base64url'),
  auth: auth.toString('base64url'),
}
const message = { title: 'Sungrove', body: 'You have 2 new notifications', url: '/notifications' }

function pusherOf(status: number) {
  const requests: PushRequest[] = []
  const keys = storedVapidKeys(dataDir)
  const pusher = createPusher({
    keys,
    contact: 'help@grove.example',
    async transport(request) {
      requests.push(request)
      return status
    },
  })
  return { pusher, requests, keys }
}

it('encrypts for the browser and signs as this server', async () => {
  const { pusher, requests, keys } = pusherOf(201)
  expect(await pusher.send(target, message)).toBe('sent')
  const [request] = requests as [PushRequest]
  expect(request).toMatchObject({ url: target.endpoint, method: 'POST' })
  expect(request.headers).toMatchObject({ TTL: '86400', Urgency: 'normal', Topic: 'notifications', 'Content-Encoding': 'aes128gcm' })
  expect(request.body.toString('latin1')).not.toContain('notification')
  expect(JSON.parse(decrypt(request.body))).toEqual(message)

  const [, token = '', key] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(request.headers.Authorization ?? '') ?? []
  expect(key).toBe(keys.publicKey)
  expect(pusher.publicKey).toBe(keys.publicKey)
  const [head, claims = '', signature = ''] = token.split('.')
  expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
    aud: 'https://push.example.com',
    sub: 'mailto:help@grove.example',
  })
  const point = Buffer.from(keys.publicKey, 'base64url')
  const publicKey = createPublicKey({
    format: 'jwk',
    key: { kty: 'EC', crv: 'P-256', x: point.subarray(1, 33).toString('base64url'), y: point.subarray(33).toString('base64url') },
  })
  const isOurs = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  expect(isOurs).toBe(true)
})

it.each([404, 410])('treats a response with status %i as the end of the subscription', async (status) => {
  expect(await pusherOf(status).pusher.send(target, message)).toBe('gone')
})

it.each([401, 403])('doesn’t retry after status %i, which means that the service refuses this server’s key', async (status) => {
  expect(await pusherOf(status).pusher.send(target, message)).toBe('refused')
})

it.each([400, 429, 500])('throws on a response with status %i, which makes the job retry', async (status) => {
  await expect(pusherOf(status).pusher.send(target, message)).rejects.toThrow(`responded with ${status}`)
})

it('sends nothing if the browser’s keys are invalid', async () => {
  const { pusher, requests } = pusherOf(201)
  expect(await pusher.send({ ...target, p256dh: 'short' }, message)).toBe('gone')
  expect(requests).toEqual([])
})

it('stores its keys', () => {
  expect(storedVapidKeys(dataDir)).toEqual(storedVapidKeys(dataDir))
  expect(fs.statSync(path.join(dataDir, 'vapid.json')).mode & 0o777).toBe(0o600)
})

/** Decrypts as a browser does (RFC 8291, RFC 8188). */
function decrypt(body: Buffer): string {
  const salt = body.subarray(0, 16)
  const serverKey = body.subarray(21, 21 + (body[20] as number))
  const secret = browser.computeSecret(serverKey)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), browser.getPublicKey(), serverKey])
  const input = Buffer.from(hkdfSync('sha256', secret, auth, info, 32))
  const key = Buffer.from(hkdfSync('sha256', input, salt, 'Content-Encoding: aes128gcm\0', 16))
  const nonce = Buffer.from(hkdfSync('sha256', input, salt, 'Content-Encoding: nonce\0', 12))
  const sealed = body.subarray(21 + serverKey.length)
  const decipher = createDecipheriv('aes-128-gcm', key, nonce)
  decipher.setAuthTag(sealed.subarray(-16))
  const text = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
  return text.subarray(0, text.lastIndexOf(2)).toString()
}

it.each(['https://127.0.0.1/x', 'https://[::ffff:10.0.0.1]/x', 'https://localhost/x', 'https://2130706433/x', 'http://push.example.com/x'])(
  'does not connect to %s',
  async (url) => {
    const request = { url, method: 'POST' as const, headers: {}, body: Buffer.alloc(0) }
    await expect(pushTransport(createOutside())(request)).rejects.toThrow(OutsideRefused)
  },
)
