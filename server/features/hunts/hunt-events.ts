import type { HuntEventKind } from '../../../contracts/hunt-activity.ts'
import type { Tx } from '../../db/connect.ts'
import { newId } from '../../kernel/ids.ts'

export type HuntEvent = {
  huntId: string
  kind: HuntEventKind
  genotypeId?: string | null
  plantId?: string | null
  /** The log, observation, decision … that it is about. */
  subjectId?: string | null
  /** Small facts that a line of history needs later, when what it is about has changed. No free text of people. */
  detail?: Record<string, string | number | boolean | null>
  /** `YYYY-MM-DD`, which may lie back. */
  happenedOn: string
  recordedBy: string
  now: Date
}

/** Rows of one statement: PostgreSQL takes 65,535 parameters. */
const mostAtOnce = 3_000

/** Adds to the history, in the transaction of what happened. Many at once go in few statements. */
export async function recordHuntEvents(tx: Tx, events: readonly HuntEvent[]): Promise<void> {
  for (let from = 0; from < events.length; from += mostAtOnce) {
    await tx
      .insertInto('hunt_events')
      .values(
        events.slice(from, from + mostAtOnce).map((event) => ({
          id: newId(),
          hunt_id: event.huntId,
          genotype_id: event.genotypeId ?? null,
          plant_id: event.plantId ?? null,
          kind: event.kind,
          subject_id: event.subjectId ?? null,
          detail: JSON.stringify(event.detail ?? {}),
          happened_on: event.happenedOn,
          recorded_by: event.recordedBy,
          recorded_at: event.now,
        })),
      )
      .execute()
  }
}
