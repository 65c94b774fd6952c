import { type ReactNode, useState } from 'react'
import { MatrixGrid } from './matrix-grid.tsx'
import { matrixPicture } from './matrix-picture.ts'
import { type MatrixGenotype, type MatrixOrder, type MatrixTrait, matrixColumns, nextOrder, orderedGenotypes } from './matrix-rows.ts'
import { PlotFrame, type PlotProps } from './plot-frame.tsx'

type TraitMatrixProps = PlotProps & {
  traits: readonly MatrixTrait[]
  genotypes: readonly MatrixGenotype[]
  /** A cell was pressed, measured or not. */
  onCell?: ((genotypeId: string, traitId: string) => void) | undefined
  onGenotype?: ((genotypeId: string) => void) | undefined
  /** Filters and the like, over the matrix. */
  controls?: ReactNode
}

/** All genotypes by all traits: what was measured, and how desirable it is. */
export function TraitMatrix({ traits, genotypes, onCell, onGenotype, controls, ...frame }: TraitMatrixProps) {
  const [order, setOrder] = useState<MatrixOrder>(null)
  const rows = orderedGenotypes(genotypes, order)
  return (
    <PlotFrame
      {...frame}
      title="Trait matrix"
      help="One row a genotype, one column a trait. The deeper the green and the longer the bar, the more desirable; hatching means not measured."
      use="Press a column’s head to sort by it."
      table={{ columns: matrixColumns(traits), rows }}
      picture={() => matrixPicture(traits, rows)}
      isEmpty={traits.length === 0 || genotypes.length === 0}
      empty={{
        title: 'Nothing measured yet',
        description: 'Choose the traits you score, then measure the first plant: each value becomes a cell here.',
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
