import webPush from 'web-push'
import type { Pusher } from '../../kernel/push.ts'

export type PushRequest = { url: string; method: string; headers: Record<string, string>; body: Buffer }
/** Makes one request to an address that a browser named, and answers the status. @throws when there is no answer */
export type PushTransport = (request: PushRequest) => Promise<number>

type Settings = {
  keys: { publicKey: string; privateKey: string }
  /** Whom a push service may write to about us. */
  contact: string
  transport: PushTransport
}

/** A push service keeps what it could not deliver for this long. */
const daySeconds = 86_400

/**
 * Web pushes: encrypted for the browser (RFC 8291) and signed as ours (VAPID, RFC 8292). Those that wait for a browser that is off
 * replace each other, because each says how many there are.
 */
export function createPusher({ keys, contact, transport }: Settings): Pusher {
  return {
    publicKey: keys.publicKey,
    async send({ endpoint, p256dh, auth }, message) {
      const details = requestDetails(endpoint, { p256dh, auth }, JSON.stringify(message))
      // Keys that no browser made: nothing can ever be sent there.
      if (!details) return 'gone'
      const status = await transport({
        url: endpoint,
        method: details.method,
        headers: Object.fromEntries(Object.entries(details.headers).map(([name, value]) => [name, String(value)])),
        body: details.body,
      })
      if (status === 404 || status === 410) return 'gone'
      if (status >= 200 && status < 300) return 'sent'
      throw new Error(`The push service answered ${status}.`)
    },
  }

  function requestDetails(endpoint: string, subscriptionKeys: { p256dh: string; auth: string }, payload: string) {
    try {
      return webPush.generateRequestDetails({ endpoint, keys: subscriptionKeys }, payload, {
        vapidDetails: { subject: `mailto:${contact}`, ...keys },
        TTL: daySeconds,
        contentEncoding: 'aes128gcm',
        urgency: 'normal',
        topic: 'notifications',
      })
    } catch {
      return null
    }
  }
}
