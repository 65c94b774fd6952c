import type { QueryClient } from '@tanstack/react-query'
import { uuidv7 } from 'uuidv7'
import { endPlants, makeDecisions, revivePlants, undoDecision } from '#contracts/calls/plants.ts'
import { deleteHarvest, listHarvests, recordHarvests } from '#contracts/calls/traits.ts'
import type { InputOf } from '#contracts/endpoint.ts'
import type { Decision } from '#contracts/plants.endpoints.ts'
import type { EndKind, Genotype, Plant, Standing } from '#contracts/plants.ts'
import type { Harvest } from '#contracts/traits.ts'
import { enqueue } from '#web/entities/offline/enqueue.ts'
import { isUnreachableError } from '#web/entities/offline/reach.ts'
import { useOutbox } from '#web/entities/offline/use-outbox.ts'
import { ApiError, messageOf } from '#web/lib/api-error.ts'
import { call, refreshCalls } from '#web/lib/call.ts'
import { type ToastOptions, toast } from '#web/ui/toast-store.ts'
import { endWords, standingLabels } from './plant-words.ts'
import { plantPaths, refreshPlants } from './plants.api.ts'

export type WriteResult<Answer> = { isQueued: false; answer: Answer } | { isQueued: true }

/** In milliseconds. A write that gets no response by then is queued, and the server ignores it if the first attempt arrived after all. */
const answerMs = 6_000

const savedText = 'Saved on this device. We’ll send it when the server can be reached.'

export type DecisionInput = {
  genotypes: readonly { id: string; name: string }[]
  kind: Standing
  reason: string
  decidedOn: string
  endPlantIds: readonly string[]
  confirmLastCopies: readonly string[]
}

/** Works offline. @throws ApiError with the server's refusal; offline, like `enqueue` */
export async function recordDecisions(
  client: QueryClient,
  huntId: string,
  { genotypes, kind, reason, decidedOn, endPlantIds, confirmLastCopies }: DecisionInput,
): Promise<WriteResult<Decision[]>> {
  const input: InputOf<typeof makeDecisions> = {
    params: { id: huntId },
    body: {
      decisions: genotypes.map(({ id }) => ({ id: uuidv7(), genotypeId: id })),
      kind,
      reason,
      decidedOn,
      endPlantIds: [...endPlantIds],
      confirmLastCopies: [...confirmLastCopies],
    },
  }
  const title = `${standingLabels[kind]}: ${namesOf(genotypes)}`
  try {
    const answer = await call(makeDecisions, input, { signal: AbortSignal.timeout(answerMs) })
    toast({ title, ...undoing(() => undoAll(client, answer)) })
    await refreshPlants(client)
    return { isQueued: false, answer }
  } catch (error) {
    if (!isUnreachableError(error)) throw error
    const subjects = genotypes.map(({ id }) => id)
    await enqueue(makeDecisions, input, {
      lane: huntId,
      subjects,
      title,
      labels: { reason: 'Reason' },
      mayHaveArrived: true,
      refreshes: plantPaths,
    })
    toast({ title, description: savedText })
    return { isQueued: true }
  }
}

export async function undoAll(client: QueryClient, decisions: readonly Pick<Decision, 'id' | 'number'>[]): Promise<void> {
  try {
    const left: string[] = []
    for (const { id } of decisions) {
      const answer = await call(undoDecision, { params: { id } })
      left.push(...answer.left.map(({ name, reason }) => `${name}: ${reason}`))
    }
    toast({ title: 'Undone', ...(left.length > 0 ? { description: `Some plants weren’t restored. ${left.join(' ')}` } : {}) })
  } catch (error) {
    failed(error)
  }
  await refreshPlants(client)
}

export type EndInput = {
  plants: readonly { id: string; name: string }[]
  endedHow: EndKind
  endedOn: string
  confirmLastCopies: readonly string[]
}

/** Works offline. @throws ApiError with the server's refusal; offline, like `enqueue` */
export async function recordEnd(
  client: QueryClient,
  huntId: string,
  { plants, endedHow, endedOn, confirmLastCopies }: EndInput,
): Promise<WriteResult<unknown>> {
  const plantIds = plants.map(({ id }) => id)
  const input: InputOf<typeof endPlants> = {
    params: { id: huntId },
    body: { plantIds, endedHow, endedOn, confirmLastCopies: [...confirmLastCopies] },
  }
  const title = `${endWords[endedHow]}: ${namesOf(plants)}`
  try {
    const answer = await call(endPlants, input, { signal: AbortSignal.timeout(answerMs) })
    toast({ title, ...undoing(() => revive(client, huntId, plantIds)) })
    await refreshPlants(client)
    return { isQueued: false, answer }
  } catch (error) {
    if (!isUnreachableError(error)) throw error
    await enqueue(endPlants, input, { lane: huntId, subjects: plantIds, title, mayHaveArrived: true, refreshes: plantPaths })
    toast({ title, description: savedText })
    return { isQueued: true }
  }
}

/** Plants that a pending write will end count as ended. */
export function usePlantsWithPendingEnds<Each extends { id: string; isAlive: boolean }>(
  huntId: string,
  plants: readonly Each[],
): readonly Each[] {
  const ending = new Set(
    useOutbox({ subject: huntId }).flatMap(({ path, body, hold }) => {
      if (hold) return []
      if (path === endPlants.path) return body.plantIds as string[]
      if (path === makeDecisions.path) return body.endPlantIds as string[]
      const isHarvest = path === recordHarvests.path && body.endsPlants === true
      return isHarvest ? (body.harvests as { plantId: string }[]).map(({ plantId }) => plantId) : []
    }),
  )
  return ending.size === 0 ? plants : plants.map((plant) => (ending.has(plant.id) ? { ...plant, isAlive: false } : plant))
}

export async function revive(client: QueryClient, huntId: string, plantIds: readonly string[]): Promise<void> {
  await runAction(client, async () => {
    const { plants } = await call(revivePlants, { params: { id: huntId }, body: { plantIds: [...plantIds] } })
    return `Alive again: ${namesOf(plants)}`
  })
}

/** Online only. Revives a plant that the harvest ended; Undo ends it again. */
export async function removeHarvest(client: QueryClient, genotype: Genotype, plant: Plant, harvest: Harvest): Promise<void> {
  await runAction(client, async () => {
    await call(deleteHarvest, { params: { id: harvest.id } })
    await refreshCalls(client, [listHarvests])
    const restore = () =>
      runAction(client, async () => {
        await call(recordHarvests, { params: { id: harvest.huntId }, body: restoredHarvest(genotype, plant, harvest) })
        await refreshCalls(client, [listHarvests])
        return `Harvest of ${plant.name} restored`
      })
    return { title: `Harvest of ${plant.name} deleted`, ...undoing(async () => void (await restore())) }
  })
}

/** @param genotype as it was before the harvest was deleted, like `plant` */
export function restoredHarvest(
  genotype: Pick<Genotype, 'name' | 'livingCopies'>,
  plant: Pick<Plant, 'endedHow' | 'endedOn'>,
  { huntId: _huntId, genotypeId: _genotypeId, runId: _runId, version: _version, ...harvest }: Harvest,
): InputOf<typeof recordHarvests>['body'] {
  const endsPlants = plant.endedHow === 'harvested' && plant.endedOn === harvest.harvestedOn
  // If it was the last copy, its end was already confirmed when the harvest was recorded.
  return { harvests: [harvest], endsPlants, confirmLastCopies: endsPlants && genotype.livingCopies === 0 ? [genotype.name] : [] }
}

/** Online only. Returns whether the action succeeded; an error shows a toast. */
export async function runAction(client: QueryClient, act: () => Promise<string | ToastOptions>): Promise<boolean> {
  try {
    const said = await act()
    toast(typeof said === 'string' ? { title: said } : said)
    await refreshPlants(client)
    return true
  } catch (error) {
    failed(error)
    // Someone else was faster, so the cache is outdated.
    if (error instanceof ApiError && (error.status === 409 || error.status === 404)) await refreshPlants(client)
    return false
  }
}

const failed = (error: unknown) => toast({ title: 'Error', description: messageOf(error), variant: 'destructive' })

const undoing = (undo: () => Promise<void>) => ({ action: { label: 'Undo', onClick: () => void undo() } })

/** "#7", "#7 and #9", "#7, #8, #9 and 12 more" */
export function namesOf(things: readonly { name: string }[]): string {
  const names = things.map(({ name }) => name)
  if (names.length > 4) return `${names.slice(0, 3).join(', ')} and ${names.length - 3} more`
  return names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : (names[0] ?? '')
}
