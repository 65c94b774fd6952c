/** Where a browser receives pushes: the data of its `PushSubscription`. */
export type PushTarget = { endpoint: string; p256dh: string; auth: string }

/** Shown by the service worker on lock screens, so it doesn't say what the site is about. */
export type PushMessage = { title: string; body: string; url: string }

export type Pusher = {
  /** The VAPID public key that browsers subscribe with. */
  publicKey: string
  /**
   * Sends a push to the browser's push service. `gone` means that the subscription has ended and should be deleted.
   * @throws if the service couldn't be reached or is busy; the calling job retries
   */
  send(target: PushTarget, message: PushMessage): Promise<'sent' | 'gone'>
}
