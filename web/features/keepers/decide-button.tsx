import { useState } from 'react'
import type { Hunt } from '../../../contracts/hunts.ts'
import type { Genotype } from '../../../contracts/plants.ts'
import { Button } from '../../ui/button.tsx'
import { lazyDialog } from '../../ui/lazy-dialog.tsx'

const DecideDialog = lazyDialog(async () => (await import('../plants/decide-dialog.tsx')).DecideDialog)

type DecideButtonProps = { hunt: Hunt; genotype: Genotype; variant?: 'primary' | 'secondary' }

/** The decision about one phenotype, where its figures are. Nothing for those who only look. */
export function DecideButton({ hunt, genotype, variant = 'primary' }: DecideButtonProps) {
  const [isOpen, setOpen] = useState(false)
  if (!hunt.abilities.write) return null
  return (
    <>
      <Button size="lg" variant={variant} onClick={() => setOpen(true)}>
        {genotype.standing ? `Decide again about ${genotype.name}` : `Decide about ${genotype.name}`}
      </Button>
      {isOpen && <DecideDialog huntId={hunt.id} genotypes={[genotype]} onOpenChange={setOpen} />}
    </>
  )
}
