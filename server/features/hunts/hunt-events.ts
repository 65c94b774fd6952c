import type { Tx } from '../../db/connect.ts'
import { newId } from '../../kernel/ids.ts'

/** What can happen in a hunt, as its history and its recent activity tell it. */
export type HuntEventKind =
  | 'hunt.created'
  | 'hunt.completed'
  | 'hunt.reopened'
  | 'seeds.added'
  | 'plant.cut'
  | 'plant.rooted'
  | 'plant.placed'
  | 'plant.ended'
  | 'plant.revived'
  | 'genotype.sexed'
  | 'log.written'
  | 'log.changed'
  | 'log.deleted'
  | 'observation.made'
  | 'observation.corrected'
  | 'harvest.recorded'
  | 'harvest.changed'
  | 'lab.recorded'
  | 'decision.made'
  | 'decision.undone'
  | 'panel.opened'
  | 'panel.closed'

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

/** Adds to the history, in the transaction of what happened. Many at once go in one statement. */
export async function recordHuntEvents(tx: Tx, events: readonly HuntEvent[]): Promise<void> {
  if (events.length === 0) return
  await tx
    .insertInto('hunt_events')
    .values(
      events.map((event) => ({
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
