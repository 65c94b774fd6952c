import { expect } from 'vitest'
import type { NotificationPreferences, NotificationPreferencesChange } from '#contracts/notifications.ts'
import type { PushMessage, PushTarget } from '#server/kernel/context.ts'
import type { EventData, EventName } from '#server/kernel/events.ts'
import type { Mail } from '#server/kernel/mail.ts'
import * as social from './social.ts'
import { startTestApp, type TestPerson } from './test-app.ts'

export type Deliveries = Awaited<ReturnType<typeof startDeliveries>>

/** A server that captures email and push, and Ann, who is notified of Ben's actions. */
export async function startDeliveries() {
  const test = await startTestApp()
  const mails: Mail[] = []
  const pushes: { target: PushTarget; message: PushMessage }[] = []
  const answers: { push: 'sent' | 'gone' | Error } = { push: 'sent' }
  test.ctx.mail = { send: async (mail) => void mails.push(mail), forget: async () => 0, close: async () => {} }
  test.ctx.pusher = {
    publicKey: 'key',
    async send(target, message) {
      pushes.push({ target, message })
      if (answers.push instanceof Error) throw answers.push
      return answers.push
    },
  }
  const ann = await test.signUp({ firstName: 'Ann', lastName: 'Ash' })
  const ben = await test.signUp({ firstName: 'Ben', lastName: 'Birch' })

  async function happen<Name extends EventName>(name: Name, data: EventData[Name]): Promise<void> {
    await test.db.transaction().execute((tx) => test.ctx.events.publish(tx, name, data))
    await test.runJobs()
  }
  const preferences = async (as = ann) => (await test.request('GET', '/api/notification-preferences', as)).json() as NotificationPreferences

  return {
    test,
    ann,
    ben,
    mails,
    pushes,
    answers,
    happen,
    preferences,
    /** Deletes all notifications and preferences, and sets the clock to a Monday. */
    async reset(): Promise<void> {
      for (const table of ['notifications', 'notification_choices', 'notification_settings', 'push_subscriptions'] as const) {
        await test.db.deleteFrom(table).execute()
      }
      test.clock.set('2026-11-23T15:00:00Z')
      await test.runJobs()
      mails.length = 0
      pushes.length = 0
      answers.push = 'sent'
    },
    async comment(content = 'Well said', title = 'Talk'): Promise<string> {
      const postId = await social.addPost(test.db, { author_id: ann.user.id, title })
      const commentId = await social.addComment(test.db, {
        post_id: postId,
        author_id: ben.user.id,
        content,
        created_at: test.clock.now(),
      })
      await happen('comment.written', { commentId })
      return postId
    },
    async prefer(changes: NotificationPreferencesChange, as: TestPerson = ann): Promise<void> {
      const answer = await test.request('PATCH', '/api/notification-preferences', as, changes)
      expect(answer.statusCode, answer.body).toBe(200)
    },
    async wait(by: { days?: number; hours?: number; minutes?: number; seconds?: number }): Promise<void> {
      test.clock.advance(by)
      await test.runJobs()
    },
    async close(): Promise<void> {
      await test.close()
    },
  }
}
