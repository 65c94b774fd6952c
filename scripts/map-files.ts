/** The map's files in `web/entities/map/assets/`: GeoJSON, whole or in cells. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { cellOf } from '#web/entities/map/area.ts'

export type Position = [longitude: number, latitude: number]
export type Feature = { geometry: unknown } & Record<string, unknown>

export const out = path.join(import.meta.dirname, '../web/entities/map/assets')

/** Assigns each line segment to the cell of its midpoint, and joins consecutive segments. */
export function cutLines(lines: Position[][]): Map<string, Position[][]> {
  const pieces = new Map<string, Position[][]>()
  for (const line of lines) {
    let before: string | null = null
    for (const [at, to] of line.entries()) {
      if (at === 0) continue
      const from = line[at - 1]!
      const cell = cellOf(...midpoint(from, to))
      const there = listIn(pieces, cell)
      if (cell === before) there.at(-1)!.push(to)
      else there.push([from, to])
      before = cell
    }
  }
  return pieces
}

export function midpoint([fromX, fromY]: Position, [toX, toY]: Position): Position {
  return [(fromX + toX) / 2, (fromY + toY) / 2]
}

export function listIn<T>(lists: Map<string, T[]>, key: string): T[] {
  const list = lists.get(key) ?? []
  lists.set(key, list)
  return list
}

export function point(coordinates: Position): { type: 'Point'; coordinates: Position } {
  return { type: 'Point', coordinates }
}

export function saveCells(folder: string, cells: Map<string, Feature[]>, decimals?: number): void {
  rmSync(path.join(out, folder), { recursive: true, force: true })
  mkdirSync(path.join(out, folder))
  for (const [cell, features] of [...cells].sort()) save(`${folder}/${cell}.geojson`, features, decimals)
}

/** Four decimals are accurate to eleven meters; the census's shapes are accurate to a few hundred. */
export function save(file: string, features: Feature[], decimals = 4): void {
  const collection = {
    type: 'FeatureCollection',
    features: features.map(({ geometry, ...properties }) => ({ type: 'Feature', properties, geometry })),
  }
  const text = JSON.stringify(collection, (_, value) => (typeof value === 'number' ? Number(value.toFixed(decimals)) : value))
  writeFileSync(path.join(out, file), `${text}\n`)
  console.log(`${file}: ${features.length} features, ${text.length} bytes, ${brotliCompressSync(text).length} compressed`)
}
