import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useQueryClient } from '@tanstack/react-query'
import { useController, useForm } from 'react-hook-form'
import { type HelperRole, inviteToTeam } from '../../../contracts/team.ts'
import { messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { refreshCurrentUser } from '../../lib/current-user.ts'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody } from '../../ui/card.tsx'
import { RadioCard, RadioCards } from '../../ui/radio-cards.tsx'
import { toast } from '../../ui/toast-store.ts'
import { EmailField } from '../accounts/fields.tsx'
import { useDraft, withDraft } from '../accounts/form-draft.ts'
import { isSignedOut, showServerErrors } from '../accounts/server-errors.ts'
import { roleHelp, roleNames } from './role-words.ts'
import { keepTeam } from './team.api.ts'

type Values = { email: string; role: HelperRole }

export function InviteForm({ businessId, roles }: { businessId: string; roles: readonly HelperRole[] }) {
  const client = useQueryClient()
  const subject = `invite.${businessId}`
  const empty: Values = { email: '', role: 'staff' }
  const form = useForm<Values>({
    defaultValues: withDraft(subject, empty),
    resolver: standardSchemaResolver(inviteToTeam.body),
    mode: 'onTouched',
  })
  const dropDraft = useDraft(form, subject)
  const role = useController({ control: form.control, name: 'role' })

  const submit = form.handleSubmit(async (body) => {
    try {
      keepTeam(client, await call(inviteToTeam, { params: { id: businessId }, body }))
      toast({ title: 'Invitation sent', description: `The link in the mail to ${body.email} works once, for 7 days.` })
      form.reset({ ...empty, role: body.role })
      dropDraft()
    } catch (error) {
      if (!showServerErrors(form, error, ['email', 'role'])) form.setError('email', { message: messageOf(error) }, { shouldFocus: true })
      if (isSignedOut(error)) await refreshCurrentUser()
    }
  })

  return (
    <Card asChild>
      <section aria-labelledby="invite">
        <CardBody className="grid gap-4">
          <div>
            <h2 id="invite" className="text-xl">
              Invite somebody
            </h2>
            <p className="mt-1 text-muted text-sm">They get a mail with a link. It works with an account that has the same address.</p>
          </div>
          <form noValidate onSubmit={submit} aria-label="Invitation" className="grid gap-4">
            <EmailField control={form.control} name="email" autoComplete="off" />
            {roles.length > 1 ? (
              <RadioCards legend="Role" error={role.fieldState.error?.message} className="gap-2! sm:grid-flow-row!">
                {roles.map((each) => (
                  <RadioCard
                    key={each}
                    name="role"
                    value={each}
                    title={roleNames[each]}
                    description={roleHelp[each]}
                    checked={role.field.value === each}
                    onChange={() => role.field.onChange(each)}
                    className="p-3!"
                  />
                ))}
              </RadioCards>
            ) : (
              <p className="text-muted text-sm">As staff: {roleHelp.staff.toLowerCase()}. The owner can invite managers.</p>
            )}
            <Button type="submit" pending={form.formState.isSubmitting} pendingText="Sending...">
              Send invitation
            </Button>
          </form>
        </CardBody>
      </section>
    </Card>
  )
}
