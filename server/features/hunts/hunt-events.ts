import type { HuntEventKind } from '#contracts/hunt-activity.ts'
import type { Tx } from '#server/db/connect.ts'
import { newId } from '#server/kernel/ids.ts'

export type HuntEvent = {
  huntId: string
  kind: HuntEventKind
  genotypeId?: string | null
  plantId?: string | null
  subjectId?: string | null
  /** Small facts that a history entry needs even after its subject changes. No free text. */
  detail?: Record<string, string | number | boolean | null>
  /** `YYYY-MM-DD`; may be in the past. */
  happenedOn: string
  recordedBy: string
  now: Date
}

/** Rows per statement; PostgreSQL's limit is 65,535 parameters. */
const maxBatchSize = 3_000

/** Appends to the history in the caller's transaction, in few statements. */
export async function recordHuntEvents(tx: Tx, events: readonly HuntEvent[]): Promise<void> {
  for (let from = 0; from < events.length; from += maxBatchSize) {
    await tx
      .insertInto('hunt_events')
      .values(
        events.slice(from, from + maxBatchSize).map((event) => ({
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
