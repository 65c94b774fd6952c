import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { deleteHunt, type Hunt } from '../../../contracts/hunts.ts'
import { messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { counted } from '../../lib/counted.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogCancel, DialogContent } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { textLink } from '../../ui/link-styles.ts'
import { toast } from '../../ui/toast-store.ts'
import { refreshHunts } from './hunts.api.ts'

type DeleteHuntDialogProps = { hunt: Hunt; open: boolean; onOpenChange: (open: boolean) => void; onDeleted: () => void }

const isSame = (typed: string, name: string) => typed.trim().toLowerCase() === name.trim().toLowerCase()

/** Asks for the name: a hunt is the work of months, and nothing brings it back. */
export function DeleteHuntDialog({ hunt, open, onOpenChange, onDeleted }: DeleteHuntDialogProps) {
  const client = useQueryClient()
  const [typed, setTyped] = useState('')
  const [isWrong, setWrong] = useState(false)
  const { counts, huntName } = hunt
  const deleting = useMutation({
    mutationFn: () => call(deleteHunt, { params: { id: hunt.id } }),
    onSuccess: async () => {
      toast({ title: 'Hunt deleted', description: huntName })
      onOpenChange(false)
      onDeleted()
      await refreshHunts(client)
    },
    onError: (error) => toast({ title: 'Error', description: messageOf(error), variant: 'destructive' }),
  })
  const confirm = () => (isSame(typed, huntName) ? deleting.mutate() : setWrong(true))
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent
        role="alertdialog"
        title={`Delete “${huntName}”?`}
        onPointerDownOutside={(event) => event.preventDefault()}
        actions={
          <>
            <DialogCancel />
            <Button variant="danger" onClick={confirm} pending={deleting.isPending} pendingText="Deleting...">
              Delete hunt
            </Button>
          </>
        }
      >
        <div className="grid gap-4">
          <p className="text-muted">
            {counted(counts.genotypes, 'genotype')}, {counted(counts.livingPlants, 'living plant')} and {counted(counts.logs, 'log')} are
            deleted with it, and so are photos, scores, harvests and decisions, for everybody it is shared with. Nothing of it can be
            brought back.
          </p>
          <p>
            <Link to="/pheno-hunt/$id" params={{ id: hunt.id }} search={{ section: 'archive' }} className={textLink}>
              Export it first
            </Link>{' '}
            to keep a copy that can be imported again.
          </p>
          <Field
            label={`Type “${huntName}” to confirm`}
            error={isWrong && !isSame(typed, huntName) ? 'This is not the name of the hunt' : undefined}
          >
            <Input
              value={typed}
              autoComplete="off"
              onChange={(event) => {
                setTyped(event.target.value)
                setWrong(false)
              }}
              onKeyDown={(event) => event.key === 'Enter' && confirm()}
            />
          </Field>
        </div>
      </DialogContent>
    </Dialog>
  )
}
