import type { Outside, Pusher } from '#server/kernel/context.ts'

export type PushRequest = { url: string; method: 'POST'; headers: Record<string, string>; body: Buffer }
/** Sends one request to a URL named by a browser and returns the status. @throws if there is no response */
export type PushTransport = (request: PushRequest) => Promise<number>

type Settings = {
  keys: { publicKey: string; privateKey: string }
  contact: string
  transport: PushTransport
}

/** How long push services store undelivered messages. */
const daySeconds = 86_400

/**
 * Web push, encrypted for the browser (RFC 8291) and signed (VAPID, RFC 8292). While a browser is offline, a new message replaces the
 * previous one, because each includes the current count.
 */
export function createPusher({ keys, contact, transport }: Settings): Pusher {
  return {
    publicKey: keys.publicKey,
    async send({ endpoint, p256dh, auth }, message) {
      const details = await requestDetails(endpoint, { p256dh, auth }, JSON.stringify(message))
      // Browsers don't create invalid keys, so nothing can ever be sent there.
      if (!details) return 'gone'
      const status = await transport({
        url: endpoint,
        method: 'POST',
        headers: Object.fromEntries(Object.entries(details.headers).map(([name, value]) => [name, String(value)])),
        body: details.body,
      })
      if (status === 404 || status === 410) return 'gone'
      if (status === 401 || status === 403) return 'refused'
      if (status >= 200 && status < 300) return 'sent'
      throw new Error(`The push service responded with ${status}.`)
    },
  }

  async function requestDetails(endpoint: string, subscriptionKeys: { p256dh: string; auth: string }, payload: string) {
    const { default: webPush } = await import('web-push')
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

/**
 * Calls the URL that a browser named as its push service. That URL is user input, so only the response's status is read.
 * @throws OutsideRefused, or another error if there is no response
 */
export const pushTransport =
  (outside: Pick<Outside, 'call'>): PushTransport =>
  async (request) =>
    (await outside.call({ ...request, maxBytes: 0, timeLimitMs: 10_000 })).status
