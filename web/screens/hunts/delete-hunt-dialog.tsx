import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { deleteHunt, type Hunt } from '#contracts/hunts.ts'
import { refreshHunts } from '#web/entities/hunts/hunts.api.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { counted } from '#web/lib/grammar.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogCancel, DialogContent } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { textLink } from '#web/ui/link-styles.ts'
import { toast } from '#web/ui/toast-store.ts'

type DeleteHuntDialogProps = { hunt: Hunt; open: boolean; onOpenChange: (open: boolean) => void; onDeleted: () => void }

const isSame = (typed: string, name: string) => typed.trim().toLowerCase() === name.trim().toLowerCase()

/** Requires typing the name: a hunt is months of work and can't be restored. */
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
            {counted(counts.genotypes, 'pheno')}, {counted(counts.livingPlants, 'living plant')} and {counted(counts.logs, 'log')} will be
            deleted, along with photos, scores, harvests and decisions, for everyone it’s shared with. You can’t undo this.
          </p>
          <p>
            <Link to="/pheno-hunt/$id" params={{ id: hunt.id }} search={{ section: 'archive' }} className={textLink}>
              Export it first
            </Link>{' '}
            to keep a copy you can import later.
          </p>
          <Field
            label={`Type “${huntName}” to confirm`}
            error={isWrong && !isSame(typed, huntName) ? 'This isn’t the name of the hunt' : undefined}
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
