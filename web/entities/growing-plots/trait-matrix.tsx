import { type ReactNode, useState } from 'react'
import { MatrixGrid } from './matrix-grid.tsx'
import {
  cellOf,
  type MatrixGenotype,
  type MatrixOrder,
  type MatrixTrait,
  matrixCellText,
  matrixColumns,
  nextOrder,
  orderedGenotypes,
  tintOf,
} from './matrix-rows.ts'
import { css, mix, type Rgb } from './palette.ts'
import { fitted, type Picture, PlotFrame, type PlotProps, wrapped } from './plot-frame.tsx'

type TraitMatrixProps = PlotProps & {
  traits: readonly MatrixTrait[]
  genotypes: readonly MatrixGenotype[]
  onCell?: ((genotypeId: string, traitId: string) => void) | undefined
  onGenotype?: ((genotypeId: string) => void) | undefined
  controls?: ReactNode
}

export function TraitMatrix({ traits, genotypes, onCell, onGenotype, controls, ...frame }: TraitMatrixProps) {
  const [order, setOrder] = useState<MatrixOrder>(null)
  const rows = orderedGenotypes(genotypes, order)
  return (
    <PlotFrame
      {...frame}
      title="Trait matrix"
      help="One row per pheno, one column per trait. A deeper green and a longer bar mean a more desirable value. Hatching means the trait wasn’t measured."
      use="Press a column heading to sort by it."
      table={{ columns: matrixColumns(traits), rows }}
      picture={() => matrixPicture(traits, rows)}
      isEmpty={traits.length === 0 || genotypes.length === 0}
      empty={{
        title: 'Nothing measured yet',
        description: 'Each value appears here once you’ve saved it.',
      }}
      height={520}
      controls={controls}
    >
      <MatrixGrid
        traits={traits}
        rows={rows}
        order={order}
        onSort={(trait) => setOrder(nextOrder(order, trait))}
        onCell={onCell}
        onGenotype={onGenotype}
      />
    </PlotFrame>
  )
}

const nameWidth = 150
const columnWidth = 92
const rowHeight = 28
const headHeight = 72

function matrixPicture(traits: readonly MatrixTrait[], rows: readonly MatrixGenotype[]): Picture {
  const width = Math.max(640, nameWidth + traits.length * columnWidth)
  return {
    width,
    height: headHeight + rows.length * rowHeight,
    paint(context, { palette, font }) {
      const write = (text: string, x: number, y: number, color: Rgb, weight: number, size = 13) => {
        context.fillStyle = css(color)
        context.font = `${weight} ${size}px ${font}`
        context.fillText(text, x, y)
      }
      context.textBaseline = 'middle'
      for (const [column, trait] of traits.entries()) {
        const right = nameWidth + (column + 1) * columnWidth - 8
        context.textAlign = 'right'
        context.font = `590 12.5px ${font}`
        const lines = wrapped(trait.name, columnWidth - 12, (text) => context.measureText(text).width).slice(0, 3)
        const texts = trait.unit ? [...lines, trait.unit] : lines
        for (const [nth, text] of texts.entries()) {
          const isUnit = nth === lines.length
          const y = headHeight - 12 - (texts.length - 1 - nth) * 15
          write(fitted(context, text, columnWidth - 10), right, y, isUnit ? palette.muted : palette.ink, isUnit ? 400 : 590, 12.5)
        }
      }
      for (const [row, genotype] of rows.entries()) {
        const top = headHeight + row * rowHeight
        const middle = top + rowHeight / 2
        context.textAlign = 'left'
        context.font = `590 13px ${font}`
        write(fitted(context, `${genotype.name}${genotype.isKeeper ? ' · keeper' : ''}`, nameWidth - 12), 0, middle, palette.ink, 590)
        for (const [column, trait] of traits.entries()) {
          const left = nameWidth + column * columnWidth
          const cell = cellOf(genotype, trait.id)
          const tint = cell?.desirability ?? null
          context.fillStyle = css(
            tint === null ? (cell ? palette.surface : palette.sunk) : mix(palette.surface, palette.leaf, tintOf(tint)),
          )
          context.fillRect(left, top, columnWidth - 1, rowHeight - 1)
          if (!cell) hatch(context, left, top, css(palette.edge, 0.45))
          if (tint !== null) {
            context.fillStyle = css(palette.leaf)
            context.fillRect(left + 3, top + rowHeight - 4, tint * (columnWidth - 8), 2.5)
          }
          context.textAlign = 'right'
          context.font = `400 13px ${font}`
          const text = fitted(context, matrixCellText(trait, cell), columnWidth - 14)
          write(text, left + columnWidth - 8, middle, cell ? palette.ink : palette.muted, 400)
        }
      }
    },
  }
}

function hatch(context: CanvasRenderingContext2D, left: number, top: number, color: string): void {
  context.save()
  context.beginPath()
  context.rect(left, top, columnWidth - 1, rowHeight - 1)
  context.clip()
  context.beginPath()
  for (let x = left; x < left + columnWidth + rowHeight; x += 8) {
    context.moveTo(x, top)
    context.lineTo(x - rowHeight, top + rowHeight)
  }
  context.strokeStyle = color
  context.lineWidth = 0.75
  context.stroke()
  context.restore()
}
