import { getPushKey, removePushSubscription, savePushSubscription } from '../../../contracts/notifications.ts'
import { call } from '../../lib/call.ts'

/**
 * - `unsupported`: this browser has no web push (or not in this window)
 * - `denied`: the person has forbidden it in the browser's own settings; only there can it be allowed again
 */
export type PushState = 'unsupported' | 'denied' | 'off' | 'on'

const worker = '/sw.js'

const isSupported = () => window.isSecureContext && 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window

/** How it stands in this browser. Asks the person nothing. */
export async function readPushState(): Promise<PushState> {
  if (!isSupported()) return 'unsupported'
  if (Notification.permission === 'denied') return 'denied'
  return (await currentSubscription()) ? 'on' : 'off'
}

/**
 * Asks for the browser's permission and subscribes. To be called from a press: browsers refuse to ask otherwise.
 * @throws what the server or the browser's push service answered
 */
export async function turnPushOn(): Promise<PushState> {
  const permission = await Notification.requestPermission()
  if (permission !== 'granted') return permission === 'denied' ? 'denied' : 'off'
  const { publicKey } = await call(getPushKey, {})
  await navigator.serviceWorker.register(worker)
  const { pushManager } = await navigator.serviceWorker.ready
  const applicationServerKey = fromBase64Url(publicKey)
  const subscription = await subscribe(pushManager, applicationServerKey)
  try {
    await call(savePushSubscription, { body: toBody(subscription) })
  } catch (error) {
    // The browser must not say "on" while the server knows nothing.
    await subscription.unsubscribe()
    throw error
  }
  return 'on'
}

/** Ends the pushes to this browser, on both sides. */
export async function turnPushOff(): Promise<PushState> {
  const subscription = await currentSubscription()
  if (subscription) {
    await call(removePushSubscription, { body: { endpoint: subscription.endpoint } })
    await subscription.unsubscribe()
  }
  return 'off'
}

async function currentSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration(worker)
  return (await registration?.pushManager.getSubscription()) ?? null
}

async function subscribe(manager: PushManager, applicationServerKey: Uint8Array<ArrayBuffer>): Promise<PushSubscription> {
  const options = { userVisibleOnly: true, applicationServerKey }
  try {
    return await manager.subscribe(options)
  } catch (error) {
    // Subscribed with a key that the server no longer has.
    const old = await manager.getSubscription()
    if (!old) throw error
    await old.unsubscribe()
    return await manager.subscribe(options)
  }
}

function toBody(subscription: PushSubscription) {
  const { endpoint, keys } = subscription.toJSON()
  return { endpoint: endpoint ?? '', keys: { p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' } }
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(binary, (sign) => sign.charCodeAt(0))
}
