import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowLeft, BellOff, BellRing, CircleSlash } from 'lucide-react'
import type { ReactNode } from 'react'
import { getPushKey, removePushSubscription, savePushSubscription } from '#contracts/calls/notifications.ts'
import { preferencesOptions } from '#web/entities/notifications/notifications.api.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { brand } from '#web/lib/boot.ts'
import { call } from '#web/lib/call.ts'
import { useCurrentUser } from '#web/lib/current-user.ts'
import { deviceItem } from '#web/lib/store.ts'
import { Button } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { LoadError } from '#web/ui/error-state.tsx'
import { FormError } from '#web/ui/field.tsx'
import { quietLink } from '#web/ui/link-styles.ts'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Skeleton, SkeletonGroup, SkeletonText } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { PreferencesForm } from './preferences-form.tsx'

export function PreferencesScreen() {
  return (
    <div className="mx-auto max-w-feed px-4 pt-6 pb-16 sm:px-6">
      <Link to="/notifications" className={`${quietLink} mb-3 inline-flex min-h-8 items-center gap-1.5 text-sm`}>
        <ArrowLeft aria-hidden="true" className="size-4" />
        Notifications
      </Link>
      <PageHeader title="Notification preferences" description="What we notify you about, how and when." />
      <div className="mt-6 grid gap-5">
        <Card asChild>
          <section aria-label="This browser">
            <CardBody>
              <PushCard />
            </CardBody>
          </section>
        </Card>
        <Preferences />
      </div>
    </div>
  )
}

function Preferences() {
  const { data, error, refetch, isPending, isFetching } = useQuery(preferencesOptions)
  if (isPending) {
    return (
      <Card>
        <SkeletonGroup label="Loading your preferences..." className="grid gap-6 p-5">
          {[1, 2, 3, 4, 5, 6].map((row) => (
            <div key={row} className="flex items-center justify-between gap-8">
              <SkeletonText className="flex-1" />
              <Skeleton className="h-5 w-32" />
            </div>
          ))}
        </SkeletonGroup>
      </Card>
    )
  }
  if (!data) {
    return (
      <Card>
        <LoadError title="Your preferences couldn’t be loaded" query={{ error, refetch, isFetching }} />
      </Card>
    )
  }
  return <PreferencesForm saved={data} />
}

const key = ['push-state']

const states: Record<PushState, { title: string; text: string; icon: ReactNode }> = {
  on: {
    title: 'Browser notifications are on',
    text: `${brand.name} can notify you here even while the page is closed. Notifications never show details.`,
    icon: <BellRing aria-hidden="true" />,
  },
  off: {
    title: 'Browser notifications are off',
    text: `${brand.name} can notify you here even while the page is closed. Notifications never show details.`,
    icon: <BellOff aria-hidden="true" />,
  },
  denied: {
    title: 'Browser notifications are blocked',
    text: `Allow notifications for ${brand.name} in your browser’s settings for this site, then come back here.`,
    icon: <CircleSlash aria-hidden="true" />,
  },
  unsupported: {
    title: 'Browser notifications aren’t available',
    text: 'This browser doesn’t support push notifications for this page. Email and in-app notifications work everywhere.',
    icon: <CircleSlash aria-hidden="true" />,
  },
}

/** Affects only this browser. Takes effect immediately, unlike the other preferences. */
function PushCard() {
  const client = useQueryClient()
  const account = useCurrentUser()?.id ?? ''
  const state = useQuery({ queryKey: key, queryFn: () => readPushState(account), refetchOnMount: 'always' })
  const change = useMutation({
    mutationFn: (on: boolean) => (on ? turnPushOn(account) : turnPushOff()),
    onSuccess: (next, on) => {
      client.setQueryData(key, next)
      if (next === 'on') toast({ title: 'Browser notifications are on' })
      else if (!on) toast({ title: 'Browser notifications are off' })
    },
  })
  if (state.isPending) return <Skeleton className="h-20" />
  const { title, text, icon } = states[state.data ?? 'unsupported']
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
      <span className="grid size-10 shrink-0 place-items-center rounded-full bg-leaf-soft text-leaf [&_svg]:size-5">{icon}</span>
      <div className="min-w-0 flex-1 basis-64" role="status">
        <p className="font-medium">{title}</p>
        <p className="max-w-text text-muted text-sm">{text}</p>
      </div>
      {state.data === 'off' && (
        <Button variant="secondary" onClick={() => change.mutate(true)} pending={change.isPending} pendingText="Turning on...">
          Turn on notifications
        </Button>
      )}
      {state.data === 'on' && (
        <Button variant="secondary" onClick={() => change.mutate(false)} pending={change.isPending} pendingText="Turning off...">
          Turn off
        </Button>
      )}
      {change.isError && (
        <FormError className="basis-full">
          {messageOf(change.error, 'The browser’s push service didn’t respond. Try again later.')}
        </FormError>
      )}
    </div>
  )
}

/**
 * - `unsupported`: this browser or this window lacks web push
 * - `denied`: blocked in the browser's settings, where only the person can allow it again
 */
type PushState = 'unsupported' | 'denied' | 'off' | 'on'

const worker = '/sw.js'

const isSupported = () => window.isSecureContext && 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window

/** In a shared browser, the subscription may be another person's. Null if unknown, in which case it counts as the viewer's own. */
const pushOwner = deviceItem('push-account')

/** Never asks for permission. */
async function readPushState(account: string): Promise<PushState> {
  if (!isSupported()) return 'unsupported'
  if (Notification.permission === 'denied') return 'denied'
  const owner = pushOwner.get()
  const subscription = await currentSubscription()
  if (!subscription || (owner !== null && owner !== account)) return 'off'
  // The server drops the subscription when this browser's session expires or is ended on another device, so renew it.
  if (!(await renew(subscription))) return 'off'
  pushOwner.set(account)
  return 'on'
}

/** Call after a sign-in, because the end of the browser's previous session also ended its pushes. Never prompts. */
export async function renewPushes(account: string): Promise<void> {
  if (pushOwner.get() !== account || !isSupported() || Notification.permission !== 'granted') return
  const subscription = await currentSubscription()
  // Don't delay the sign-in for long.
  if (subscription) await renew(subscription, AbortSignal.timeout(5_000))
}

/** Replaces a subscription made with a key that the server no longer uses. Returns false if it can't be replaced or saved. */
async function renew(subscription: PushSubscription, signal?: AbortSignal): Promise<boolean> {
  try {
    const { publicKey } = await call(getPushKey, {}, { signal })
    const current = hasKey(subscription, publicKey) ? subscription : await subscribe(publicKey)
    await call(savePushSubscription, { body: toBody(current) }, { signal })
    return true
  } catch {
    return false
  }
}

function hasKey({ options }: PushSubscription, publicKey: string): boolean {
  const key = options?.applicationServerKey
  return !key || toBase64Url(new Uint8Array(key)) === publicKey
}

/**
 * Asks for permission and subscribes. Call this on a press, because browsers won't prompt otherwise.
 * @throws the error of the server or of the browser's push service
 */
async function turnPushOn(account: string): Promise<PushState> {
  const permission = await Notification.requestPermission()
  if (permission !== 'granted') return permission === 'denied' ? 'denied' : 'off'
  const { publicKey } = await call(getPushKey, {})
  await navigator.serviceWorker.register(worker)
  const subscription = await subscribe(publicKey)
  try {
    await call(savePushSubscription, { body: toBody(subscription) })
  } catch (error) {
    // If the browser stayed subscribed, it would report "on" without a subscription on the server.
    await subscription.unsubscribe()
    throw error
  }
  pushOwner.set(account)
  return 'on'
}

async function turnPushOff(): Promise<PushState> {
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

async function subscribe(publicKey: string): Promise<PushSubscription> {
  const { pushManager: manager } = await navigator.serviceWorker.ready
  const options = { userVisibleOnly: true, applicationServerKey: fromBase64Url(publicKey) }
  try {
    return await manager.subscribe(options)
  } catch (error) {
    // The existing subscription uses a key that the server no longer has.
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

const toBase64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(binary, (sign) => sign.charCodeAt(0))
}
