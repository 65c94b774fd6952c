import type { Hunt } from '../../../contracts/hunts.ts'
import type { Genotype } from '../../../contracts/plants.ts'
import { Dialog, DialogContent } from '../../ui/dialog.tsx'
import { plantsOf } from '../grow-logs/plant-names.ts'
import { QuickLog } from '../grow-logs/quick-log.tsx'
import { namesOf } from './plant-writes.ts'

type LogDialogProps = { hunt: Hunt; genotypes: readonly Genotype[]; onOpenChange: (open: boolean) => void }

/** The quick log, walking along the chosen plants alone. */
export function LogDialog({ hunt, genotypes, onOpenChange }: LogDialogProps) {
  const plants = plantsOf(genotypes, hunt.germinationDate)
  const first = plants.find(({ isAlive }) => isAlive) ?? plants[0]
  return (
    <Dialog open onOpenChange={onOpenChange}>
      <DialogContent title="Log" description={namesOf(genotypes)} size="lg">
        <QuickLog hunt={hunt} plants={plants} lastHeightOf={() => null} firstPlantId={first?.id ?? null} level={3} />
      </DialogContent>
    </Dialog>
  )
}
