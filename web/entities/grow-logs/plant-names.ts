import type { GrowLog, PlantOfLog } from '#contracts/grow-logs.ts'
import type { Genotype, Plant } from '#contracts/plants.ts'
import { daysBetween } from '#web/lib/time-words.ts'

export type LogPlant = Pick<PlantOfLog, 'id' | 'number' | 'copy' | 'label' | 'code'> & {
  name: string
  isAlive: boolean
  startedOn: string | null
  placement: Plant['placement']
}

export const plantName = ({ number, copy }: Pick<PlantOfLog, 'number' | 'copy'>): string =>
  copy === 0 ? `#${number}` : `#${number}-${copy}`

export const nameOfLog = ({ plant }: Pick<GrowLog, 'plant'>): string =>
  plant === null ? 'Whole hunt' : plant.label === '' ? plantName(plant) : `${plantName(plant)} ${plant.label}`

export const plantsOf = (genotypes: readonly Genotype[], germinationDate: string | null): LogPlant[] =>
  genotypes.flatMap(({ number, label, plants }) =>
    plants.map(({ id, copy, code, endedOn, kind, startedOn, rootedOn, cutOn, placement }) => ({
      id,
      number,
      copy,
      label,
      code,
      name: plantName({ number, copy }),
      isAlive: endedOn === null,
      startedOn: kind === 'clone' ? (startedOn ?? rootedOn ?? cutOn) : (startedOn ?? germinationDate),
      placement,
    })),
  )

/** `rows`: left to right in every row. `snake`: every other row right to left, to avoid walking back. */
export type WalkOrder = 'rows' | 'snake' | 'number'

/**
 * Orders plants run by run, and in each run by position. Plants without a position come last in their run, and plants without a run come
 * last of all. Both groups are sorted by number.
 */
export function inWalkOrder<Each extends LogPlant>(plants: readonly Each[], order: WalkOrder): Each[] {
  const byNumber = (a: Each, b: Each) => a.number - b.number || a.copy - b.copy
  if (order === 'number') return plants.toSorted(byNumber)
  return plants.toSorted((a, b) => {
    const [one, other] = [a.placement, b.placement]
    if (!one || !other) return Number(!one) - Number(!other) || byNumber(a, b)
    if (one.runId !== other.runId) return inOrder.compare(one.runName, other.runName) || (one.runId < other.runId ? -1 : 1)
    if (one.row === null || other.row === null) return Number(one.row === null) - Number(other.row === null) || byNumber(a, b)
    const isBackward = order === 'snake' && one.row % 2 === 0
    const across = (one.column ?? 0) - (other.column ?? 0)
    return one.row - other.row || (isBackward ? -across : across)
  })
}

const inOrder = new Intl.Collator('en', { numeric: true })

/** For “7”, #7 and its clones come before #70 and #71. A printed eight-character code matches one plant. Reads O as 0, and I and L as 1. */
export function plantsFor(typed: string, plants: readonly LogPlant[]): LogPlant[] {
  const text = typed.trim().replace(/^#/, '').toUpperCase()
  if (text === '') return [...plants]
  const code = text.replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1')
  if (code.length === 8) {
    const found = plants.filter((plant) => plant.code === code)
    if (found.length > 0) return found
  }
  const [number = '', copy] = text.split('-')
  const matching = plants.filter(
    (plant) => String(plant.number).startsWith(number) && (copy === undefined || String(plant.copy).startsWith(copy)),
  )
  const exact = matching.filter((plant) => String(plant.number) === number)
  return [...exact, ...matching.filter((plant) => !exact.includes(plant))]
}

export function nextPlant(plants: readonly LogPlant[], id: string | null, step: 1 | -1 = 1): LogPlant | null {
  const living = plants.filter((plant) => plant.isAlive || plant.id === id)
  if (living.length === 0) return null
  const at = living.findIndex((plant) => plant.id === id)
  return living[(at + step + living.length) % living.length] ?? null
}

/** As on the server, days 1 to 7 are week 1. Null before the start, or if it's unknown. */
export function weekOn(startedOn: string | null, day: string): number | null {
  if (startedOn === null) return null
  const days = daysBetween(startedOn, day)
  return days < 0 || Number.isNaN(days) ? null : Math.floor(days / 7) + 1
}
