/** Where a browser takes pushes: what its `PushSubscription` says. */
export type PushTarget = { endpoint: string; p256dh: string; auth: string }

/** What the service worker shows. It appears on locked screens, so it says nothing of what the site is about. */
export type PushMessage = { title: string; body: string; url: string }

export type Pusher = {
  /** The server's public key, by which browsers subscribe (VAPID). */
  publicKey: string
  /**
   * Hands one push to the browser's push service. `gone`: the subscription has ended and is to be forgotten.
   * @throws when the service could not be reached or is busy; the job that called tries again
   */
  send(target: PushTarget, message: PushMessage): Promise<'sent' | 'gone'>
}
