import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { type AdminBusiness, correctBusinessName, listBusinesses } from '../../../contracts/admin.ts'
import { BusinessName, getBusiness, listBusinesses as listDirectory } from '../../../contracts/businesses.ts'
import { messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogCancel, DialogContent } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { toast } from '../../ui/toast-store.ts'

/** Corrects the name of a business, which its owner cannot do once others rely on it. */
export function CorrectNameDialog({ business, onClose }: { business: AdminBusiness; onClose: () => void }) {
  const formId = useId()
  const client = useQueryClient()
  const [name, setName] = useState(business.name)
  const [error, setError] = useState<string | null>(null)
  const correct = useMutation({
    mutationFn: (to: string) => call(correctBusinessName, { params: { id: business.id }, body: { name: to } }),
    onSuccess: (_answer, to) => {
      for (const { path } of [listBusinesses, listDirectory, getBusiness]) void client.invalidateQueries({ queryKey: [path] })
      toast({ title: 'Name corrected', description: to })
      onClose()
    },
    onError: (failure) => setError(messageOf(failure)),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const read = BusinessName.safeParse(name)
    setError(read.success ? null : (read.error.issues[0]?.message ?? null))
    if (!read.success) return
    if (read.data === business.name) onClose()
    else correct.mutate(read.data)
  }
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title={`Correct the name of ${business.name}`}
        description="Everybody sees the new name at once. Reviews, subscribers, license and the page’s address stay, and the register does not change it back. This is written into the audit log."
        actions={
          <>
            <DialogCancel />
            <Button type="submit" form={formId} pending={correct.isPending} pendingText="Saving...">
              Correct the name
            </Button>
          </>
        }
      >
        <form id={formId} noValidate onSubmit={submit}>
          <Field label="Business Name" error={error ?? undefined}>
            <Input value={name} maxLength={120} autoComplete="off" onChange={(event) => setName(event.target.value)} />
          </Field>
        </form>
      </DialogContent>
    </Dialog>
  )
}
