import { type BenchPlace, type BenchSize, benchText, rowLetter } from './bench-rows.ts'
import { tintOf } from './matrix-rows.ts'
import { css, type Look, mix } from './palette.ts'
import { fitted, type Picture } from './plot-picture.ts'
import { stageTones } from './stage-tones.ts'
import type { PlotMeasure } from './yield-potency-rows.ts'

const cell = { width: 104, height: 68, gap: 6 }
const edge = 26

export function benchPicture(
  size: BenchSize,
  places: readonly BenchPlace[],
  trait: PlotMeasure | null,
  stages: readonly string[],
): Picture {
  const width = Math.max(560, edge + size.columns * (cell.width + cell.gap))
  return {
    width,
    height: edge + size.rows * (cell.height + cell.gap),
    paint(context, look) {
      const { palette, font } = look
      context.textBaseline = 'middle'
      context.textAlign = 'center'
      context.font = `400 12px ${font}`
      context.fillStyle = css(palette.muted)
      for (let column = 0; column < size.columns; column += 1) {
        context.fillText(String(column + 1), edge + column * (cell.width + cell.gap) + cell.width / 2, edge / 2)
      }
      for (let row = 0; row < size.rows; row += 1) {
        context.fillText(rowLetter(row + 1), edge / 2, edge + row * (cell.height + cell.gap) + cell.height / 2)
      }
      for (const place of places) paintPlace(context, place, trait, stages, look)
    },
  }
}

function paintPlace(
  context: CanvasRenderingContext2D,
  { row, column, plant }: BenchPlace,
  trait: PlotMeasure | null,
  stages: readonly string[],
  { palette, font }: Look,
): void {
  const x = edge + (column - 1) * (cell.width + cell.gap)
  const y = edge + (row - 1) * (cell.height + cell.gap)
  context.beginPath()
  context.roundRect(x + 0.5, y + 0.5, cell.width - 1, cell.height - 1, 10)
  context.setLineDash(plant ? [] : [4, 3])
  context.strokeStyle = css(palette.edge, 0.6)
  context.lineWidth = 1
  if (plant) {
    const tone = stageTones[stages.indexOf(plant.stage) % stageTones.length] ?? 'muted'
    const desirable = plant.desirability === null ? palette.sunk : mix(palette.surface, palette.leaf, tintOf(plant.desirability))
    context.fillStyle = css(trait ? desirable : mix(palette.surface, palette[tone], 0.16))
    context.fill()
  }
  context.stroke()
  context.setLineDash([])
  const lines = plant ? [plant.name, benchText(plant, trait), ...(plant.isCheck ? ['Check clone'] : [])] : ['Empty']
  if (plant?.isCheck) {
    context.beginPath()
    context.roundRect(x + 4.5, y + 4.5, cell.width - 9, cell.height - 9, 7)
    context.strokeStyle = css(palette.ink)
    context.stroke()
  }
  context.textAlign = plant ? 'left' : 'center'
  for (const [nth, line] of lines.entries()) {
    context.font = `${plant && nth === 0 ? 600 : 400} ${nth === 0 && plant ? 13 : 12}px ${font}`
    context.fillStyle = css(plant ? palette.ink : palette.muted)
    const at = y + cell.height / 2 + (nth - (lines.length - 1) / 2) * 17
    context.fillText(fitted(context, line, cell.width - 20), plant ? x + 10 : x + cell.width / 2, at)
  }
}
