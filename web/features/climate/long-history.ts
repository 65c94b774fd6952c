import type { SensorTable } from './sensor-table.ts'

export type Entities = { time: number; entity: number; state: number; names: string[] }

/** The columns of Home Assistant's history, and the entities that are in it. */
export function entitiesOf({ header, rows }: SensorTable): Entities {
  const at = (name: string) => header.findIndex((each) => each.trim().toLowerCase() === name)
  const entity = at('entity_id')
  const time = at('last_changed') === -1 ? at('last_updated') : at('last_changed')
  return { time, entity, state: at('state'), names: [...new Set(rows.map(({ cells }) => cells[entity] ?? ''))].sort() }
}

export type Chosen = { air: string; humidity: string; leaf: string; co2: string }

/** By their names; empty where none fits. */
export function guessEntities(names: readonly string[]): Chosen {
  const find = (is: RegExp, not?: RegExp) => names.find((name) => is.test(name) && !not?.test(name)) ?? ''
  return {
    air: find(/temp/i, /dew|leaf|soil|water|outdoor/i),
    humidity: find(/humid|_rh\b/i, /soil|absolute/i),
    leaf: find(/leaf.*temp|temp.*leaf/i),
    co2: find(/co2|carbon_dioxide/i),
  }
}

/** What was said longer ago says nothing of now: the sensor may have been away. */
const holdsFor = 6 * 60 * 60 * 1000

/**
 * As a table with a row for each change of temperature or humidity. Home Assistant writes a value down when it changes, so the other one
 * is what it was last.
 */
export function widened(table: SensorTable, chosen: Chosen): SensorTable {
  const { time, entity, state } = entitiesOf(table)
  const fields = ['air', 'humidity', 'leaf', 'co2'] as const
  const last: Partial<Record<(typeof fields)[number], { text: string; at: number }>> = {}
  const changes = table.rows
    .map(({ line, cells }) => ({
      line,
      text: cells[time] ?? '',
      at: Date.parse(cells[time] ?? ''),
      name: cells[entity] ?? '',
      state: cells[state] ?? '',
    }))
    .filter(({ at }) => !Number.isNaN(at))
    .sort((a, b) => a.at - b.at)
  const rows: SensorTable['rows'] = []
  for (const { line, text, at, name, state: said } of changes) {
    const field = fields.find((each) => chosen[each] === name)
    if (!field || chosen[field] === '') continue
    if (/^(unknown|unavailable|)$/i.test(said)) {
      delete last[field]
      continue
    }
    last[field] = { text: said, at }
    const held = (each: (typeof fields)[number]) => {
      const value = last[each]
      return value && at - value.at <= holdsFor ? value.text : ''
    }
    if (held('air') !== '' && held('humidity') !== '') rows.push({ line, cells: [text, ...fields.map(held)] })
  }
  return { header: ['last_changed', ...fields], rows, isLong: false }
}

/** The mapping of what `widened` makes. */
export const widenedMapping = ['time', 'air', 'humidity', 'leaf', 'co2'] as const
