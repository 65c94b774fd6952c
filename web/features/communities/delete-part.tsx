import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { type FormEvent, useId, useState } from 'react'
import { type Community, deleteCommunity } from '../../../contracts/communities.ts'
import { messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { counted } from '../../lib/counted.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogCancel, DialogContent } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { toast } from '../../ui/toast-store.ts'
import { forgetCommunity } from './communities.api.ts'

/** The end of a community, which cannot be undone: its name has to be typed. */
export function DeletePart({ community }: { community: Community }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <section aria-labelledby="community-end" className="grid gap-2 border-line border-t pt-6">
      <h2 id="community-end" className="text-xl">
        Delete the community
      </h2>
      <p className="text-muted text-sm">
        Everything that members wrote goes with it, for good. To go without ending it, make somebody a moderator and hand it over under
        Members.
      </p>
      <Button variant="secondary" onClick={() => setOpen(true)} className="mt-1 justify-self-start text-clay!">
        Delete community
      </Button>
      {isOpen && <DeleteDialog community={community} onClose={() => setOpen(false)} />}
    </section>
  )
}

function DeleteDialog({ community, onClose }: { community: Community; onClose: () => void }) {
  const client = useQueryClient()
  const router = useRouter()
  const formId = useId()
  const [typed, setTyped] = useState('')
  const [error, setError] = useState<string | null>(null)
  const { name, memberCount, postCount } = community
  const remove = useMutation({
    mutationFn: () => call(deleteCommunity, { params: { id: community.id }, body: { name: typed } }),
    onSuccess: async () => {
      onClose()
      await router.navigate({ to: '/communities', search: { tab: 'my' } })
      forgetCommunity(client, community)
      toast({ title: `${name} is deleted` })
    },
    onError: (cause) => setError(messageOf(cause)),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (typed.trim().toLowerCase() !== name.toLowerCase()) return setError('This is not the name of the community')
    setError(null)
    remove.mutate()
  }
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        role="alertdialog"
        title={`Delete ${name}?`}
        actions={
          <>
            <DialogCancel />
            <Button type="submit" form={formId} variant="danger" pending={remove.isPending} pendingText="Deleting...">
              Delete community
            </Button>
          </>
        }
      >
        <form id={formId} noValidate onSubmit={submit} className="grid gap-4">
          <p className="text-muted">
            {`${counted(memberCount, 'member')} and ${counted(postCount ?? 0, 'post')} are in it. Nobody can bring them back.`}
          </p>
          <Field label={`Type its name: ${name}`} error={error ?? undefined}>
            <Input autoComplete="off" value={typed} onChange={(event) => setTyped(event.target.value)} />
          </Field>
        </form>
      </DialogContent>
    </Dialog>
  )
}
