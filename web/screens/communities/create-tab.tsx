import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { createCommunity } from '#contracts/calls/communities.ts'
import type { NewCommunity } from '#contracts/communities.ts'
import { refreshCommunityCount, refreshMine, showCommunity } from '#web/entities/communities/communities.api.ts'
import { PictureField } from '#web/entities/media/picture-field.tsx'
import { useUploads } from '#web/entities/media/upload-list-view.tsx'
import { creationKey, dropCreationKey } from '#web/forms/creation-key.ts'
import { useDraft, withDraft } from '#web/forms/form-draft.ts'
import { isSignedOut, showServerErrors } from '#web/forms/server-errors.ts'
import { call } from '#web/lib/call.ts'
import { refreshCurrentUser, useCurrentUser } from '#web/lib/current-user.ts'
import { Button } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { FormError } from '#web/ui/field.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { CommunityFields, type CommunityValues, communityFields, communityResolver, emptyCommunity } from './community-fields.tsx'

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
  const dropDraft = useDraft(form, subject)
  const { uploads, state } = useUploads(subject)
  const [failure, setFailure] = useState<string | null>(null)

  const submit = form.handleSubmit(async (values) => {
    setFailure(null)
    try {
      const ids = await uploads.settle()
      if (!ids) return setFailure('The picture couldn’t be uploaded. Try again, or remove it.')
      const body = { ...values, imageId: ids[0] ?? null }
      const community = await call(createCommunity, { body }, { idempotencyKey: creationKey(subject, body), account: userId })
      dropDraft()
      dropCreationKey(subject)
      uploads.finish()
      showCommunity(client, community)
      refreshMine(client)
      void refreshCommunityCount(client)
      toast(
        community.isHidden
          ? {
              title: 'Waiting for a moderator',
              description: 'Our filter flagged some words. Only you can see the community until a moderator reviews it.',
            }
          : { title: `${community.name} created`, description: 'Write the first post, or invite people.' },
      )
      await router.navigate({ to: '/communities/$id', params: { id: community.slug } })
    } catch (error) {
      setFailure(showServerErrors(form, error, communityFields))
      if (isSignedOut(error)) await refreshCurrentUser()
    }
  })

  return (
    <form noValidate onSubmit={(event) => void submit(event)} aria-label="New community" className="mx-auto max-w-feed">
      <Card>
        <CardBody className="grid gap-6 sm:p-7">
          <div>
            <h2 className="text-xl">Create a community</h2>
            <p className="mt-1 text-muted text-sm">You’ll own this community, choose its moderators and be responsible for it.</p>
          </div>
          <CommunityFields control={form.control} />
          <PictureField
            label="Community picture"
            hint="If you don’t add a picture, we’ll draw a cover for you."
            current={null}
            isGone={false}
            onGone={() => undefined}
            uploads={uploads}
            state={state}
          />
          <FormError>{failure}</FormError>
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
