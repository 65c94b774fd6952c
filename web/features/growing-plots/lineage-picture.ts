import type { LineageLayout, PlacedItem } from './lineage-view.ts'
import { itemName, itemNote } from './lineage-words.ts'
import { css, type Look } from './palette.ts'
import { fitted, type Picture } from './plot-picture.ts'

/** The lineage as it is on the screen: what is folded stays folded. */
export function lineagePicture(layout: LineageLayout): Picture {
  return {
    width: Math.max(640, layout.width + 2),
    height: layout.height + 2,
    paint(context, look) {
      context.lineWidth = 1.25
      context.strokeStyle = css(look.palette.edge)
      for (const { from, to } of layout.edges) {
        const x = from.x + from.width
        const y1 = from.y + from.height / 2
        const y2 = to.y + to.height / 2
        const middle = (x + to.x) / 2
        context.beginPath()
        context.moveTo(x, y1)
        context.bezierCurveTo(middle, y1, middle, y2, to.x, y2)
        context.stroke()
      }
      for (const placed of layout.placed) paintBox(context, placed, look)
    },
  }
}

function paintBox(context: CanvasRenderingContext2D, { item, x, y, width, height }: PlacedItem, { palette, font }: Look): void {
  const { node } = item
  const isGone = node !== null && !node.isAlive && (node.kind === 'genotype' || node.kind === 'clone')
  const isKeeper = node?.isKeeper === true
  context.beginPath()
  context.roundRect(x + 0.5, y + 0.5, width - 1, height - 1, 10)
  const ground = node?.kind === 'seed-lot' ? palette['leaf-soft'] : node === null || node.kind === 'clone' ? palette.sunk : palette.surface
  context.fillStyle = css(ground)
  context.fill()
  context.setLineDash(isGone ? [4, 3] : [])
  context.lineWidth = isKeeper ? 3 : 1
  context.strokeStyle = css(isKeeper ? palette.shine : palette.edge)
  context.stroke()
  context.setLineDash([])
  context.lineWidth = 1.25
  context.strokeStyle = css(palette.edge)
  context.textAlign = 'left'
  context.textBaseline = 'middle'
  context.fillStyle = css(palette.ink)
  context.font = `600 13px ${font}`
  const name = `${itemName(item)}${isKeeper ? ' · keeper' : ''}`
  context.fillText(fitted(context, name, width - 20), x + 10, y + 16)
  context.fillStyle = css(palette.muted)
  context.font = `400 12px ${font}`
  context.fillText(fitted(context, itemNote(item), width - 20), x + 10, y + 33)
}
