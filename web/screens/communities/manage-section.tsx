import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { type FormEvent, useId, useState } from 'react'
import { useForm } from 'react-hook-form'
import { deleteCommunity, updateCommunity } from '#contracts/calls/communities.ts'
import { acceptCommunityRequest, declineCommunityRequest } from '#contracts/calls/community-members.ts'
import type { Community, NewCommunity } from '#contracts/communities.ts'
import type { CommunityRequest } from '#contracts/community-members.endpoints.ts'
import {
  expireCommunityLists,
  forgetCommunity,
  refreshMembers,
  requestsOptions,
  showCommunity,
} from '#web/entities/communities/communities.api.ts'
import { PictureField } from '#web/entities/media/picture-field.tsx'
import { useUploads } from '#web/entities/media/upload-list-view.tsx'
import { changedFields, useDraft, withDraft } from '#web/forms/form-draft.ts'
import { isSignedOut, showServerErrors } from '#web/forms/server-errors.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { refreshCurrentUser } from '#web/lib/current-user.ts'
import { counted } from '#web/lib/format.ts'
import { Ago } from '#web/ui/ago.tsx'
import { Avatar } from '#web/ui/avatar.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { Dialog, DialogCancel, DialogContent } from '#web/ui/dialog.tsx'
import { Field, FormError } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { ListNote, PagedList } from '#web/ui/paged-list.tsx'
import { SkeletonRow } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { CommunityFields, type CommunityValues, communityFields, communityResolver, valuesOf } from './community-fields.tsx'
import { InvitationsPart } from './invitations-part.tsx'

export function ManageSection({ community }: { community: Community }) {
  const { abilities, visibility } = community
  return (
    <div className="mx-auto grid max-w-feed gap-10">
      {abilities.moderate && visibility === 'invite_only' && <RequestsPart community={community} />}
      {abilities.moderate && <InvitationsPart community={community} />}
      {abilities.edit && <SettingsPart community={community} />}
      {abilities.delete && <DeletePart community={community} />}
    </div>
  )
}

function DeletePart({ community }: { community: Community }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <section aria-labelledby="community-end" className="grid gap-2 border-line not-first:border-t not-first:pt-6">
      <h2 id="community-end" className="text-xl">
        Delete community
      </h2>
      <p className="text-muted text-sm">
        Permanently deletes everything members wrote.
        {community.abilities.edit && ' To leave without deleting it, transfer ownership under Members.'}
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
      toast({ title: `${name} deleted` })
    },
    onError: (cause) => setError(messageOf(cause)),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (typed.trim().toLowerCase() !== name.toLowerCase()) return setError('This isn’t the community’s name')
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
            {`It has ${counted(memberCount, 'member')} and ${counted(postCount ?? 0, 'post')}. You can’t undo this.`}
          </p>
          <Field label={`Type its name: ${name}`} error={error ?? undefined}>
            <Input autoComplete="off" value={typed} onChange={(event) => setTyped(event.target.value)} />
          </Field>
        </form>
      </DialogContent>
    </Dialog>
  )
}

function RequestsPart({ community }: { community: Community }) {
  const list = useInfiniteQuery(requestsOptions(community.id))
  return (
    <section aria-labelledby="community-requests" className="grid gap-3">
      <h2 id="community-requests" className="text-xl">
        Requests
      </h2>
      <PagedList
        list={list}
        loadingLabel="Loading requests..."
        skeleton={<SkeletonRow />}
        failure="The requests couldn’t be loaded"
        cards="whole"
        empty={<ListNote title="No pending requests">Requests to join appear here until you decide.</ListNote>}
      >
        {(requests) => (
          <Card asChild>
            <ul className="divide-y divide-line">
              {requests.map((request) => (
                <RequestRow key={request.person.id} communityId={community.id} request={request} />
              ))}
            </ul>
          </Card>
        )}
      </PagedList>
    </section>
  )
}

function RequestRow({ communityId, request: { person, message, createdAt } }: { communityId: string; request: CommunityRequest }) {
  const client = useQueryClient()
  const decide = useMutation({
    mutationFn: (isAccepted: boolean) =>
      call(isAccepted ? acceptCommunityRequest : declineCommunityRequest, { params: { id: communityId, personId: person.id } }),
    onSuccess: (_, isAccepted) => {
      toast(
        isAccepted
          ? { title: `${person.name} joined`, description: 'We’ve notified them.' }
          : { title: 'Request declined', description: 'They won’t be notified, and they can ask again.' },
      )
      return refreshMembers(client, communityId)
    },
    onError: (error) => {
      toast({ title: 'Error', description: messageOf(error), variant: 'destructive' })
      return refreshMembers(client, communityId)
    },
  })
  return (
    <li className="flex flex-wrap items-start gap-x-3.5 gap-y-3 px-4 py-3.5 sm:px-5">
      <Avatar id={person.id} name={person.name} imageUrl={person.imageUrl} />
      <div className="min-w-0 flex-1 basis-52">
        <p className="wrap-anywhere">
          <Link
            to="/people/$id"
            params={{ id: person.id }}
            className="touch-target rounded-tag font-medium hover:underline hover:underline-offset-3"
          >
            {person.name}
          </Link>{' '}
          <span className="text-muted text-sm">
            <Ago at={createdAt} />
          </span>
        </p>
        {message && <p className="mt-1 text-sm whitespace-pre-line wrap-anywhere">{message}</p>}
      </div>
      <div className="flex gap-2">
        <Button onClick={() => decide.mutate(true)} pending={decide.isPending && decide.variables}>
          Accept<span className="sr-only"> {person.name}</span>
        </Button>
        <Button variant="secondary" onClick={() => decide.mutate(false)} pending={decide.isPending && !decide.variables}>
          Decline<span className="sr-only"> {person.name}</span>
        </Button>
      </div>
    </li>
  )
}

function SettingsPart({ community }: { community: Community }) {
  const [round, setRound] = useState(0)
  return (
    <section aria-labelledby="community-settings" className="grid gap-3">
      <h2 id="community-settings" className="text-xl">
        Settings
      </h2>
      <SettingsForm key={round} community={community} onSaved={() => setRound((before) => before + 1)} />
    </section>
  )
}

function SettingsForm({ community, onSaved }: { community: Community; onSaved: () => void }) {
  const client = useQueryClient()
  const subject = `community.${community.id}`
  const [saved] = useState(community)
  const [defaultValues] = useState(() => withDraft(subject, valuesOf(saved)))
  const form = useForm<CommunityValues, unknown, NewCommunity>({ defaultValues, resolver: communityResolver, mode: 'onTouched' })
  const dropDraft = useDraft(form, subject, [], valuesOf(saved))
  const { uploads, state } = useUploads(subject)
  const [isPictureGone, setPictureGone] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)

  const submit = form.handleSubmit(async ({ imageId: _, ...values }) => {
    setFailure(null)
    try {
      const ids = await uploads.settle()
      if (!ids) return setFailure('The picture couldn’t be uploaded. Try again, or remove it.')
      const picture = ids[0] ? { imageId: ids[0] } : isPictureGone ? { imageId: null } : {}
      const body = { ...changedFields(values, saved), ...picture }
      const after = await call(updateCommunity, { params: { id: community.id }, body })
      showCommunity(client, after)
      expireCommunityLists(client)
      dropDraft()
      uploads.finish()
      toast({ title: 'Community saved' })
      onSaved()
    } catch (error) {
      setFailure(showServerErrors(form, error, communityFields))
      if (isSignedOut(error)) await refreshCurrentUser()
    }
  })

  return (
    <form noValidate onSubmit={(event) => void submit(event)} aria-label="Community settings">
      <Card>
        <CardBody className="grid gap-6 sm:p-7">
          <CommunityFields control={form.control} />
          <PictureField
            label="Community picture"
            hint="If you don’t add a picture, we’ll draw a cover for you."
            current={community.imageUrl}
            alt="Current picture"
            className="h-24 w-40"
            isGone={isPictureGone}
            onGone={setPictureGone}
            uploads={uploads}
            state={state}
          />
          <p className="text-muted text-sm">
            Changing the name doesn’t change the address{community.isVerified && ', but it removes the Verified badge'}. If the community is
            no longer invite only, pending requests are canceled.
          </p>
          <FormError>{failure}</FormError>
          <Button type="submit" pending={form.formState.isSubmitting} pendingText="Saving..." className="justify-self-start max-sm:w-full">
            Save
          </Button>
        </CardBody>
      </Card>
    </form>
  )
}
