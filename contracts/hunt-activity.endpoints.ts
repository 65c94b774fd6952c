import { endpoint } from './endpoint.ts'
import { Id, page } from './fields.ts'
import { Day, HuntParams } from './hunts.ts'
import { Person } from './people.ts'
import * as z from './zod.ts'

export const huntEventKinds = [
  'hunt.created',
  'hunt.completed',
  'hunt.reopened',
  'seeds.added',
  'plant.cut',
  'plant.rooted',
  'plant.placed',
  'plant.changed',
  'plant.ended',
  'plant.revived',
  'genotype.sexed',
  'log.written',
  'log.changed',
  'log.deleted',
  'observation.made',
  'observation.corrected',
  'harvest.recorded',
  'harvest.changed',
  'lab.recorded',
  'decision.made',
  'decision.undone',
  'panel.opened',
  'panel.closed',
] as const
export const HuntEventKind = z.enum(huntEventKinds)
export type HuntEventKind = z.infer<typeof HuntEventKind>

export const HuntEvent = z.object({
  id: Id,
  huntId: Id,
  huntName: z.string(),
  kind: HuntEventKind,
  /** Null if it is about the hunt. */
  genotype: z.nullable(z.object({ id: Id, number: z.int(), label: z.string() })),
  /** 0 is the seed plant, clones count from 1. */
  plant: z.nullable(z.object({ id: Id, copy: z.int() })),
  /** The log, observation, decision or other subject. */
  subjectId: z.nullable(Id),
  /** Facts by kind: how many seeds, which decision, how a plant ended. */
  detail: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  /** One line without who and when: "Clone 2 of #7 rooted". */
  summary: z.string(),
  happenedOn: Day,
  /** Null if the account was deleted. */
  recordedBy: z.nullable(Person),
  recordedAt: z.iso.datetime(),
})
export type HuntEvent = z.infer<typeof HuntEvent>

export const listHuntActivity = endpoint({
  method: 'GET',
  path: '/api/pheno-hunts/:id/activity',
  summary: "List a hunt's activity, the most recently recorded first",
  tag: 'Pheno hunts',
  access: 'member',
  paginated: true,
  params: HuntParams,
  query: z.object(page),
  response: z.array(HuntEvent),
})

export const listOwnActivity = endpoint({
  method: 'GET',
  path: '/api/pheno-hunts/activity',
  summary: 'List the activity of your hunts and of those shared with you, the most recently recorded first',
  tag: 'Pheno hunts',
  access: 'member',
  paginated: true,
  query: z.object(page),
  response: z.array(HuntEvent),
})
