import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { countCommunities, createCommunity, type NewCommunity } from '../../../contracts/communities.ts'
import { messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { refreshCurrentUser, useCurrentUser } from '../../lib/current-user.ts'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody } from '../../ui/card.tsx'
import { FieldError } from '../../ui/field.tsx'
import { toast } from '../../ui/toast-store.ts'
import { useDraft, withDraft } from '../accounts/form-draft.ts'
import { isSignedOut, showServerErrors } from '../accounts/server-errors.ts'
import { PictureField } from '../media/picture-field.tsx'
import { useUploads } from '../media/use-uploads.ts'
import { creationKey, dropCreationKey } from '../onboarding/creation-key.ts'
import { refreshMine, showCommunity } from './communities.api.ts'
import { CommunityFields } from './community-fields.tsx'
import { type CommunityValues, communityFields, communityResolver, emptyCommunity } from './community-values.ts'

/** Begins a community. */
export function CreateTab() {
  const user = useCurrentUser()
  return user && <CreateForm userId={user.id} />
}

function CreateForm({ userId }: { userId: string }) {
  const client = useQueryClient()
  const router = useRouter()
  const subject = `new-community.${userId}`
  const [defaultValues] = useState(() => withDraft(subject, emptyCommunity))
  const form = useForm<CommunityValues, unknown, NewCommunity>({ defaultValues, resolver: communityResolver, mode: 'onTouched' })
  const dropDraft = useDraft(form as never, subject)
  const { uploads, state } = useUploads(subject)
  const [failure, setFailure] = useState<string | null>(null)

  const submit = form.handleSubmit(async (values) => {
    setFailure(null)
    try {
      const ids = await uploads.settle()
      if (!ids) return setFailure('The picture could not be uploaded. Try it again, or remove it.')
      const body = { ...values, imageId: ids[0] ?? null }
      const community = await call(createCommunity, { body }, { idempotencyKey: creationKey(subject, body), account: userId })
      dropDraft()
      dropCreationKey(subject)
      uploads.finish()
      showCommunity(client, community)
      refreshMine(client)
      void client.invalidateQueries({ queryKey: [countCommunities.path] })
      toast(
        community.isHidden
          ? { title: 'A moderator looks at it first', description: 'A filter held its words. Until it is decided, only you see it.' }
          : { title: `${community.name} is there`, description: 'Write the first post, or invite people.' },
      )
      await router.navigate({ to: '/communities/$id', params: { id: community.slug } })
    } catch (error) {
      if (!showServerErrors(form, error, communityFields)) setFailure(messageOf(error))
      if (isSignedOut(error)) await refreshCurrentUser()
    }
  })

  return (
    <form noValidate onSubmit={(event) => void submit(event)} aria-label="New community" className="mx-auto max-w-feed">
      <Card>
        <CardBody className="grid gap-6 sm:p-7">
          <div>
            <h2 className="text-xl">Create a community</h2>
            <p className="mt-1 text-muted text-sm">You own it: you choose who moderates, and answer for what is said there.</p>
          </div>
          <CommunityFields control={form.control} />
          <PictureField
            label="Picture of the community"
            hint="Without one, a cover is drawn."
            current={null}
            isGone={false}
            onGone={() => undefined}
            uploads={uploads}
            state={state}
          />
          {failure && (
            <div role="alert">
              <FieldError>{failure}</FieldError>
            </div>
          )}
          <Button
            type="submit"
            size="lg"
            pending={form.formState.isSubmitting}
            pendingText="Creating..."
            className="justify-self-start max-sm:w-full"
          >
            Create Community
          </Button>
        </CardBody>
      </Card>
    </form>
  )
}
