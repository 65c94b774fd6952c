import { type HuntEvent, insertHunt, recordHuntEvents } from '#server/features/hunts/index.ts'
import { addFirstSeeds, freshCodes } from '#server/features/plants/index.ts'
import { newId } from '#server/kernel/ids.ts'
import { daysBefore, type LoadContext, requireKey } from './loading.ts'

export async function addHunts(loading: LoadContext): Promise<void> {
  for (const hunt of demoHunts) await addHunt(loading, hunt)
}

type Began = { loading: LoadContext; hunt: DemoHunt; huntId: string; ownerId: string; plants: Plant[]; events: HuntEvent[] }
type Plant = { id: string; genotypeId: string; number: number; endedDaysAgo: number | null }

const dayOf = (time: Date): string => time.toISOString().slice(0, 10)

async function addHunt(loading: LoadContext, hunt: DemoHunt): Promise<void> {
  const { tx, now } = loading
  const huntId = newId()
  const ownerId = requireKey(loading.people, hunt.person)
  const began = daysBefore(now, hunt.germinatedDaysAgo)
  const count = hunt.plants.length
  await insertHunt(tx, {
    id: huntId,
    owner_id: ownerId,
    hunt_name: hunt.name,
    breeders: hunt.breeders,
    seed_count: count,
    goals: hunt.goals,
    grow_environment: hunt.environment,
    germination_date: dayOf(began),
    plant_limit: hunt.plantLimit,
    ...(hunt.isPublic ? { visibility: 'public', published_at: daysBefore(now, 5) } : {}),
    comments_count: hunt.comments.length,
    is_demo: true,
    created_at: began,
    updated_at: began,
  })
  const happened = { huntId, recordedBy: ownerId, now: began }
  await recordHuntEvents(tx, [{ ...happened, kind: 'hunt.created', happenedOn: dayOf(began) }])
  await addFirstSeeds(tx, { ...happened, count, cross: hunt.cross, startedOn: dayOf(began) })
  const plants = await plantsOf(loading, hunt, huntId)
  const all: Began = { loading, hunt, huntId, ownerId, plants, events: [] }
  await addRun(all)
  await addLogs(all)
  await addScores(all)
  await addClones(all)
  await addHarvests(all)
  await addDecisions(all)
  await addRest(all)
  // Activity is listed in the order in which it was recorded.
  const inOrder = all.events.toSorted((a, b) => a.now.getTime() - b.now.getTime())
  await recordHuntEvents(tx, inOrder)
}

async function plantsOf({ tx }: LoadContext, hunt: DemoHunt, huntId: string): Promise<Plant[]> {
  const rows = await tx
    .selectFrom('plants')
    .innerJoin('genotypes', 'genotypes.id', 'plants.genotype_id')
    .select(['plants.id', 'genotypes.id as genotypeId', 'genotypes.number'])
    .where('plants.hunt_id', '=', huntId)
    .orderBy('genotypes.number')
    .execute()
  return rows.map((row) => ({
    ...row,
    endedDaysAgo: hunt.decisions.find(({ kind, number }) => kind === 'cull' && number === row.number)?.daysAgo ?? null,
  }))
}

async function addRun({ loading: { tx, now }, hunt, huntId, plants }: Began): Promise<void> {
  const id = newId()
  await tx
    .insertInto('runs')
    .values({
      id,
      hunt_id: huntId,
      ...hunt.run,
      started_on: dayOf(daysBefore(now, hunt.germinatedDaysAgo)),
      flowered_on: dayOf(daysBefore(now, hunt.flowerDaysAgo)),
      bench_rows: 3,
      bench_columns: 4,
    })
    .execute()
  const placed = plants.map((plant, i) => ({
    run_id: id,
    plant_id: plant.id,
    bench_row: Math.floor(i / 4) + 1,
    bench_column: (i % 4) + 1,
  }))
  await tx.insertInto('placements').values(placed).execute()
}

/** Share of the final height after a number of weeks: a logistic curve that is steepest a little past the middle. */
const grown = (week: number, weeks: number): number => 1 / (1 + Math.exp(-7 * (week / weeks - 0.55)))

async function addLogs({ loading: { tx, now }, hunt, huntId, ownerId, plants, events }: Began): Promise<void> {
  const lastDay = hunt.harvestedDaysAgo ?? 1
  const weeks = Math.floor((hunt.germinatedDaysAgo - lastDay) / 7)
  const base = { hunt_id: huntId, author_id: ownerId }
  const measured = Array.from({ length: Math.floor(weeks / 2) }, (_, i) => 2 * (i + 1)).flatMap((week) => {
    // The last day of the week.
    const daysAgo = hunt.germinatedDaysAgo - 7 * week + 1
    const at = daysBefore(now, daysAgo)
    const stage = daysAgo > hunt.flowerDaysAgo ? ('vegetative' as const) : ('flower' as const)
    return plants.flatMap((plant, i) => {
      const last = hunt.plants[i]
      if (!last || (plant.endedDaysAgo ?? 0) >= daysAgo) return []
      const height_cm = Math.round(last.height * grown(week, weeks))
      return [{ ...base, id: newId(), plant_id: plant.id, logged_on: dayOf(at), week, stage, height_cm, rating: 2 * last.vigor, at }]
    })
  })
  const noted = hunt.notes.map(({ number, daysAgo, text }) => {
    const at = daysBefore(now, daysAgo)
    const week = Math.floor((hunt.germinatedDaysAgo - daysAgo) / 7) + 1
    const plant_id = plants.find((plant) => plant.number === number)?.id ?? null
    return { ...base, id: newId(), plant_id, logged_on: dayOf(at), week, notes: text, at }
  })
  for (const rows of [measured, noted]) {
    await tx
      .insertInto('grow_logs')
      .values(rows.map(({ at, ...row }) => ({ ...row, created_at: at, updated_at: at })))
      .execute()
  }
  events.push(
    ...[...measured, ...noted].map((log) => ({
      huntId,
      kind: 'log.written' as const,
      genotypeId: plants.find(({ id }) => id === log.plant_id)?.genotypeId ?? null,
      plantId: log.plant_id,
      subjectId: log.id,
      detail: { heightCm: 'height_cm' in log ? log.height_cm : null, rating: 'rating' in log ? log.rating : null },
      happenedOn: log.logged_on,
      recordedBy: ownerId,
      now: log.at,
    })),
  )
}

const anchors = (...labels: string[]) => JSON.stringify(labels.map((label, i) => ({ value: i + 1, label })))
const scored = {
  vigor: { name: 'Vigor', weight: 10, options: anchors('weak', 'slow', 'average', 'strong', 'racing') },
  aroma: { name: 'Aroma', weight: 40, options: anchors('faint', 'plain', 'pleasant', 'loud', 'unforgettable') },
  resin: { name: 'Resin', weight: 30, options: anchors('bare', 'thin', 'even', 'thick', 'sand dune') },
} as const

async function addScores({ loading: { tx, now }, hunt, huntId, ownerId, plants, events }: Began): Promise<void> {
  const at = daysBefore(now, hunt.harvestedDaysAgo ?? 2)
  let position = 0
  for (const [key, { name, weight, options }] of Object.entries(scored)) {
    const trait_id = newId()
    const bounds = { direction: 'max' as const, low: 1, high: 5 }
    await tx
      .insertInto('traits')
      .values({ id: trait_id, hunt_id: huntId, name, kind: 'ordinal', options, weight, ...bounds, position: position++ })
      .execute()
    const values = plants.filter(isUnended).map(({ id, number }) => ({
      id: newId(),
      hunt_id: huntId,
      trait_id,
      plant_id: id,
      observed_on: dayOf(at),
      value_number: hunt.plants[number - 1]?.[key as keyof typeof scored] ?? null,
      observed_by: ownerId,
      created_at: at,
    }))
    await tx.insertInto('observations').values(values).execute()
    events.push(
      ...values.map(({ id, plant_id }) => ({
        huntId,
        kind: 'observation.made' as const,
        genotypeId: plants.find((plant) => plant.id === plant_id)?.genotypeId ?? null,
        plantId: plant_id,
        subjectId: id,
        happenedOn: dayOf(at),
        recordedBy: ownerId,
        now: at,
      })),
    )
  }
  const measured = { direction: 'max' as const, low: 50, high: 130, weight: 20, source: 'dry_weight' as const, unit: 'g' }
  const weight = { id: newId(), hunt_id: huntId, name: 'Dry weight', kind: 'number' as const, ...measured, position }
  await tx.insertInto('traits').values(weight).execute()
}

/** Clones of harvested plants, so that those phenotypes can still be kept. */
async function addClones({ loading: { tx, now }, hunt, huntId, ownerId, plants, events }: Began): Promise<void> {
  if (hunt.harvestedDaysAgo === null) return
  const cutAt = daysBefore(now, hunt.flowerDaysAgo)
  const [cut_on, rooted_on] = [dayOf(cutAt), dayOf(daysBefore(now, hunt.flowerDaysAgo - 11))]
  const codes = await freshCodes(tx, plants.length)
  const clones = plants.filter(isUnended).map(({ id, genotypeId, number }, i) => ({
    ...{ id: newId(), hunt_id: huntId, genotype_id: genotypeId, kind: 'clone' as const, copy: 1, cut_from_id: id, cut_on, rooted_on },
    ...{ code: codes[i] as string, created_at: cutAt },
    is_mother: hunt.decisions.some((each) => each.kind === 'keep' && each.number === number),
  }))
  await tx.insertInto('plants').values(clones).execute()
  events.push(
    ...clones.flatMap(({ id, genotype_id: genotypeId }) =>
      (['plant.cut', 'plant.rooted'] as const).map((kind) => ({
        ...{ huntId, genotypeId, plantId: id, recordedBy: ownerId, now: cutAt },
        ...{ kind, happenedOn: kind === 'plant.cut' ? cut_on : rooted_on },
      })),
    ),
  )
}

const isUnended = ({ endedDaysAgo }: Plant): boolean => endedDaysAgo === null

async function addHarvests({ loading: { tx, now }, hunt, huntId, ownerId, plants, events }: Began): Promise<void> {
  if (hunt.harvestedDaysAgo === null) return
  const at = daysBefore(now, hunt.harvestedDaysAgo)
  const harvested = plants.filter(isUnended)
  const rows = harvested.map(({ id, number }) => {
    const dry_grams = hunt.plants[number - 1]?.dryGrams ?? 0
    return {
      ...{ id: newId(), hunt_id: huntId, plant_id: id },
      harvested_on: dayOf(at),
      flower_days: hunt.flowerDaysAgo - (hunt.harvestedDaysAgo ?? 0),
      ...{ wet_grams: dry_grams * 4, dry_grams, ended_plant: true },
      created_at: at,
    }
  })
  await tx.insertInto('harvests').values(rows).execute()
  const end = { ended_on: dayOf(at), ended_how: 'harvested' as const }
  for (const { id } of harvested) await tx.updateTable('plants').set(end).where('id', '=', id).execute()
  events.push(
    ...rows.flatMap((row, i) => {
      const about = { huntId, genotypeId: harvested[i]?.genotypeId ?? null, plantId: row.plant_id, recordedBy: ownerId }
      const happened = { ...about, happenedOn: row.harvested_on, now: at }
      return [
        { ...happened, kind: 'harvest.recorded' as const, subjectId: row.id },
        { ...happened, kind: 'plant.ended' as const, detail: { how: 'harvested' } },
      ]
    }),
  )
}

async function addDecisions({ loading: { tx, now }, hunt, huntId, ownerId, plants, events }: Began): Promise<void> {
  for (const { number, kind, reason, daysAgo } of hunt.decisions) {
    const at = daysBefore(now, daysAgo)
    const plant = plants.find((each) => each.number === number)
    if (!plant) throw new Error(`The demo decides on #${number}, which is not in ${hunt.name}.`)
    const id = newId()
    const known = { livingCopies: 1, plants: 1, logs: 0, observations: 0, rank: null, rankedOf: null, chanceBest: null }
    await tx
      .insertInto('decisions')
      .values({
        id,
        hunt_id: huntId,
        genotype_id: plant.genotypeId,
        kind,
        reason,
        known: JSON.stringify(known),
        decided_by: ownerId,
        decided_on: dayOf(at),
        created_at: at,
      })
      .execute()
    await tx.updateTable('genotypes').set({ standing: kind }).where('id', '=', plant.genotypeId).execute()
    const happened = { huntId, genotypeId: plant.genotypeId, happenedOn: dayOf(at), recordedBy: ownerId, now: at }
    events.push({ ...happened, kind: 'decision.made', subjectId: id, detail: { kind } })
    if (kind !== 'cull') continue
    const end = { ended_on: dayOf(at), ended_how: 'culled' as const, ended_by_decision_id: id }
    await tx.updateTable('plants').set(end).where('id', '=', plant.id).execute()
    events.push({ ...happened, kind: 'plant.ended', plantId: plant.id, detail: { how: 'culled' } })
  }
}

async function addRest({ loading: { tx, now, people }, hunt, huntId, plants }: Began): Promise<void> {
  const tasks = hunt.tasks.map(({ title, dueInDays, everyDays, number }) => ({
    id: newId(),
    hunt_id: huntId,
    genotype_id: plants.find((plant) => plant.number === number)?.genotypeId ?? null,
    title,
    due_on: dayOf(daysBefore(now, -dueInDays)),
    every_days: everyDays,
  }))
  if (tasks.length > 0) await tx.insertInto('hunt_tasks').values(tasks).execute()
  const comments = hunt.comments.map(({ person, daysAgo, text }) => ({
    id: newId(),
    hunt_id: huntId,
    author_id: requireKey(people, person),
    content: text,
    created_at: daysBefore(now, daysAgo),
  }))
  if (comments.length > 0) await tx.insertInto('hunt_comments').values(comments).execute()
}

type DemoHunt = {
  person: string
  name: string
  breeders: string[]
  cross: { mother: string; father: string; isSelfed: boolean; generation: string; seedType: 'regular' | 'feminized' | 'auto' }
  environment: string
  goals: string
  plantLimit: number | null
  isPublic: boolean
  germinatedDaysAgo: number
  run: { name: string; room: string; medium: string; light: string }
  flowerDaysAgo: number
  /** Null before harvest. */
  harvestedDaysAgo: number | null
  /** Plants 1 to 12: final height in cm, and scores from 1 to 5. */
  plants: { height: number; vigor: number; aroma: number; resin: number; dryGrams: number }[]
  decisions: { number: number; kind: 'keep' | 'retest' | 'cull' | 'breed'; reason: string; daysAgo: number }[]
  notes: { number: number | null; daysAgo: number; text: string }[]
  tasks: { title: string; dueInDays: number; everyDays: number | null; number: number | null }[]
  comments: { person: string; daysAgo: number; text: string }[]
}

const plants = (...rows: [height: number, vigor: number, aroma: number, resin: number, dryGrams: number][]) =>
  rows.map(([height, vigor, aroma, resin, dryGrams]) => ({ height, vigor, aroma, resin, dryGrams }))

/** Two hunts of demo growers, one public and one private. Strains, scores and people are invented. */
const demoHunts: DemoHunt[] = [
  {
    person: 'odile',
    name: 'Copper Ferry × Lime Lantern F2',
    breeders: ['Marchetti Terraces'],
    cross: { mother: 'Copper Ferry', father: 'Lime Lantern', isSelfed: false, generation: 'F2', seedType: 'feminized' },
    environment: 'Greenhouse',
    goals: 'The father’s lime on the mother’s frame, finished before the October rain. Nothing that foxtails in the heat.',
    plantLimit: null,
    isPublic: true,
    germinatedDaysAgo: 128,
    run: { name: 'Summer greenhouse', room: 'South bay', medium: 'Living soil, 30 L', light: 'Sun' },
    flowerDaysAgo: 72,
    harvestedDaysAgo: 10,
    plants: plants(
      [118, 3, 2, 3, 84],
      [131, 4, 3, 2, 96],
      [109, 4, 5, 4, 88],
      [142, 5, 2, 2, 121],
      [97, 2, 3, 3, 61],
      [125, 4, 4, 3, 92],
      [113, 4, 5, 5, 97],
      [136, 3, 2, 2, 104],
      [104, 2, 1, 2, 58],
      [121, 3, 4, 4, 83],
      [128, 5, 3, 3, 110],
      [116, 3, 3, 4, 79],
    ),
    decisions: [
      { number: 9, kind: 'cull', reason: 'Smells of hay, and the smallest by far.', daysAgo: 40 },
      { number: 5, kind: 'cull', reason: 'Foxtails on every top.', daysAgo: 32 },
      { number: 3, kind: 'retest', reason: 'As loud as #7 and shorter. One more run beside it.', daysAgo: 6 },
      { number: 7, kind: 'keep', reason: 'Lime that lasted through drying, and the most resin.', daysAgo: 5 },
    ],
    notes: [
      { number: null, daysAgo: 96, text: 'Topped all of them above the fifth node.' },
      { number: 7, daysAgo: 24, text: 'Rub the stem and the whole bay smells of lime peel.' },
      { number: 4, daysAgo: 24, text: 'The biggest of all, but the nose is faint.' },
    ],
    tasks: [],
    comments: [
      { person: 'wren', daysAgo: 4, text: 'Did the lime hold through the cure?' },
      { person: 'odile', daysAgo: 3, text: 'It’s only just gone into jars, but it’s all still there on #7. On #3 it turned sweeter.' },
    ],
  },
  {
    person: 'wren',
    name: 'Night Ferry S1',
    breeders: ['Own work'],
    cross: { mother: 'Night Ferry', father: '', isSelfed: true, generation: 'S1', seedType: 'feminized' },
    environment: 'Indoor tent',
    goals: 'One plant that stays under a meter and smells the way the mother did.',
    plantLimit: 12,
    isPublic: false,
    germinatedDaysAgo: 64,
    run: { name: 'Tent, first run', room: 'Tent 120 × 120', medium: 'Coco, 11 L', light: 'LED 480 W' },
    flowerDaysAgo: 20,
    harvestedDaysAgo: null,
    plants: plants(
      [74, 3, 3, 2, 0],
      [81, 4, 4, 3, 0],
      [69, 3, 2, 2, 0],
      [92, 5, 3, 3, 0],
      [77, 4, 5, 4, 0],
      [63, 2, 2, 1, 0],
      [85, 4, 3, 3, 0],
      [79, 3, 4, 2, 0],
      [88, 4, 2, 2, 0],
      [71, 3, 4, 3, 0],
      [58, 1, 1, 1, 0],
      [83, 4, 4, 4, 0],
    ),
    decisions: [{ number: 11, kind: 'cull', reason: 'Never caught up, and got in the way of the others.', daysAgo: 18 }],
    notes: [
      { number: null, daysAgo: 20, text: 'Flipped to twelve hours. Clones of all of them are rooting in the closet.' },
      { number: 5, daysAgo: 6, text: 'The mother, only more so.' },
    ],
    tasks: [
      { title: 'Feed, EC 1.8', dueInDays: 0, everyDays: 2, number: null },
      { title: 'Thin the leaves below the net', dueInDays: -1, everyDays: null, number: null },
      { title: 'Smell all of them again', dueInDays: 3, everyDays: 7, number: null },
      { title: 'Look for male flowers', dueInDays: 1, everyDays: null, number: 4 },
    ],
    comments: [],
  },
]
