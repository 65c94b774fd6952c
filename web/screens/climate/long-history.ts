import type { SensorTable } from './sensor-table.ts'

export type Entities = { time: number; entity: number; state: number; names: string[] }

export function entitiesOf({ header, rows }: SensorTable): Entities {
  const at = (name: string) => header.findIndex((each) => each.trim().toLowerCase() === name)
  const entity = at('entity_id')
  const time = at('last_changed') === -1 ? at('last_updated') : at('last_changed')
  return { time, entity, state: at('state'), names: [...new Set(rows.map(({ cells }) => cells[entity] ?? ''))].sort() }
}

export type Chosen = { air: string; humidity: string; leaf: string; co2: string }

/** Guesses by name; empty if none matches. */
export function guessEntities(names: readonly string[]): Chosen {
  const find = (is: RegExp, not?: RegExp) => names.find((name) => is.test(name) && !not?.test(name)) ?? ''
  return {
    air: find(/temp/i, /dew|leaf|soil|water|outdoor/i),
    humidity: find(/humid|_rh\b/i, /soil|absolute/i),
    leaf: find(/leaf.*temp|temp.*leaf/i),
    co2: find(/co2|carbon_dioxide/i),
  }
}

/** In milliseconds. Older values say nothing about now: the sensor may have been offline. */
const holdsFor = 6 * 60 * 60 * 1000

/**
 * Converts to a table with one row per change of temperature or humidity. Home Assistant records only changes, so the other value
 * is carried forward.
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
    const valuesOf = (each: (typeof fields)[number]) => {
      const value = last[each]
      return value && at - value.at <= holdsFor ? value.text : ''
    }
    if (valuesOf('air') !== '' && valuesOf('humidity') !== '') rows.push({ line, cells: [text, ...fields.map(valuesOf)] })
  }
  return { header: ['last_changed', ...fields], rows, isLong: false }
}

/** Mapping for tables returned by `widened`. */
export const widenedMapping = ['time', 'air', 'humidity', 'leaf', 'co2'] as const
