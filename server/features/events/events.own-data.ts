import { inTransaction } from '#server/db/transaction.ts'
import type { EraseStep } from '#server/kernel/own-data.ts'
import { endRsvps } from './rsvp.ts'

const atOnce = 200

/** Deleting an account frees the person's seats. Events they published belong to the business. */
export const eraseRsvps: EraseStep = {
  name: 'rsvps',
  eraseSome: ({ db }, { id: userId }) =>
    inTransaction(db, async (tx) => {
      const rows = await tx.selectFrom('event_rsvps').select('event_id').where('user_id', '=', userId).limit(atOnce).execute()
      return endRsvps(
        tx,
        userId,
        rows.map((row) => row.event_id),
      )
    }),
}
