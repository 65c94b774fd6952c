import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { type Community, changeCommunity, countCommunities, listCommunities, type NewCommunity } from '../../../contracts/communities.ts'
import { messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { refreshCurrentUser } from '../../lib/current-user.ts'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody } from '../../ui/card.tsx'
import { FieldError } from '../../ui/field.tsx'
import { toast } from '../../ui/toast-store.ts'
import { useDraft, withDraft } from '../accounts/form-draft.ts'
import { isSignedOut, showServerErrors } from '../accounts/server-errors.ts'
import { PictureField } from '../media/picture-field.tsx'
import { useUploads } from '../media/use-uploads.ts'
import { showCommunity } from './communities.api.ts'
import { CommunityFields } from './community-fields.tsx'
import { type CommunityValues, communityFields, communityResolver, valuesOf } from './community-values.ts'

/** What a community is: for its owner to change. */
export function SettingsPart({ community }: { community: Community }) {
  // With another number, nothing is remembered of the upload before.
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
  const [saved] = useState(() => valuesOf(community))
  const [defaultValues] = useState(() => withDraft(subject, saved))
  const form = useForm<CommunityValues, unknown, NewCommunity>({ defaultValues, resolver: communityResolver, mode: 'onTouched' })
  const dropDraft = useDraft(form as never, subject)
  const { uploads, state } = useUploads(subject)
  const [isPictureGone, setPictureGone] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)

  const submit = form.handleSubmit(async ({ imageId: _, ...values }) => {
    setFailure(null)
    try {
      const ids = await uploads.settle()
      if (!ids) return setFailure('The picture could not be uploaded. Try it again, or remove it.')
      const picture = ids[0] ? { imageId: ids[0] } : isPictureGone ? { imageId: null } : {}
      const after = await call(changeCommunity, { params: { id: community.id }, body: { ...values, ...picture } })
      showCommunity(client, after)
      for (const { path } of [listCommunities, countCommunities]) void client.invalidateQueries({ queryKey: [path], refetchType: 'none' })
      dropDraft()
      uploads.finish()
      toast({ title: 'Community saved' })
      onSaved()
    } catch (error) {
      if (!showServerErrors(form, error, communityFields)) setFailure(messageOf(error))
      if (isSignedOut(error)) await refreshCurrentUser()
    }
  })

  return (
    <form noValidate onSubmit={(event) => void submit(event)} aria-label="Settings of the community">
      <Card>
        <CardBody className="grid gap-6 sm:p-7">
          <CommunityFields control={form.control} />
          <PictureField
            label="Picture of the community"
            hint="Without one, a cover is drawn."
            current={community.imageUrl}
            alt="As it is shown now"
            className="h-24 w-40"
            isGone={isPictureGone}
            onGone={setPictureGone}
            uploads={uploads}
            state={state}
          />
          <p className="text-muted text-sm">
            The address stays when the name changes.{community.isVerified && ' Another name takes the Verified badge.'} Whoever waits to be
            let in is not waiting any more once it is not invite only.
          </p>
          {failure && (
            <div role="alert">
              <FieldError>{failure}</FieldError>
            </div>
          )}
          <Button type="submit" pending={form.formState.isSubmitting} pendingText="Saving..." className="justify-self-start max-sm:w-full">
            Save
          </Button>
        </CardBody>
      </Card>
    </form>
  )
}
