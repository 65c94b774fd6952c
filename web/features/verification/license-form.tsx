import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useQueryClient } from '@tanstack/react-query'
import { useController, useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { utcDate } from '../../../contracts/age.ts'
import { businessTypeLabels, businessTypes } from '../../../contracts/business-types.ts'
import { type LicenseState, requestVerification, VerificationRequest } from '../../../contracts/verification.ts'
import { messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { refreshCurrentUser } from '../../lib/current-user.ts'
import { Button } from '../../ui/button.tsx'
import { FieldError } from '../../ui/field.tsx'
import { toast } from '../../ui/toast-store.ts'
import { SelectField, TextField } from '../accounts/fields.tsx'
import { useDraft, withDraft } from '../accounts/form-draft.ts'
import { isSignedOut, showServerErrors } from '../accounts/server-errors.ts'
import { stateList } from '../businesses/state-names.ts'
import { DocumentField } from './document-field.tsx'
import { refreshLicense } from './verification.api.ts'

type Values = Omit<VerificationRequest, 'expiresOn' | 'documentId'> & { expiresOn: string; documentId: string }

/** A form has empty texts where the call has nothing. */
const FormSchema = z.pipe(
  z.transform(
    (values: Values): z.input<typeof VerificationRequest> => ({
      ...values,
      expiresOn: values.expiresOn || null,
      documentId: values.documentId || null,
    }),
  ),
  VerificationRequest,
)

const fields = ['licenseNumber', 'state', 'licenseName', 'businessType', 'expiresOn', 'documentId'] as const

type LicenseFormProps = { businessId: string; suggestion: LicenseState['suggestion'] }

/** Number, state, name and type as they stand on the license; the document where the register does not say the same. */
export function LicenseForm({ businessId, suggestion }: LicenseFormProps) {
  const client = useQueryClient()
  const subject = `license.${businessId}`
  const form = useForm<Values, unknown, VerificationRequest>({
    defaultValues: withDraft<Values>(subject, { ...suggestion, expiresOn: '', documentId: '' }),
    resolver: standardSchemaResolver(FormSchema),
    mode: 'onTouched',
  })
  const dropDraft = useDraft(form, subject)
  const document = useController({ control: form.control, name: 'documentId' })

  const submit = form.handleSubmit(async (body) => {
    try {
      const { status } = await call(requestVerification, { params: { id: businessId }, body })
      dropDraft()
      toast(
        status === 'verified'
          ? { title: 'License verified', description: 'Your page shows it from now on.' }
          : { title: 'Sent', description: 'Two of us will look at it. We mail you as soon as it is decided.' },
      )
      await refreshLicense(client)
    } catch (error) {
      if (!showServerErrors(form, error, fields)) form.setError('root', { message: messageOf(error) })
      if (isSignedOut(error)) await refreshCurrentUser()
    }
  })

  const { isSubmitting, errors } = form.formState
  return (
    <form noValidate onSubmit={submit} aria-label="License" className="grid gap-5">
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <TextField control={form.control} name="licenseNumber" label="License number" autoComplete="off" spellCheck={false} />
        <SelectField control={form.control} name="state" label="State">
          <option value="">Choose a state</option>
          {stateList.map(([code, name]) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </SelectField>
        <TextField
          control={form.control}
          name="licenseName"
          label="Name on the license"
          hint="The legal or the trade name, as the authority writes it."
          autoComplete="organization"
        />
        <SelectField control={form.control} name="businessType" label="Type of business">
          {businessTypes.map((type) => (
            <option key={type} value={type}>
              {businessTypeLabels[type]}
            </option>
          ))}
        </SelectField>
        <TextField
          control={form.control}
          name="expiresOn"
          label="Expires on"
          optional
          hint="Where the register names a day, that day counts."
          type="date"
          min={utcDate(new Date())}
        />
      </div>
      <DocumentField
        id={document.field.value}
        onChange={document.field.onChange}
        error={document.fieldState.error?.message}
        ref={document.field.ref}
      />
      {errors.root?.message && (
        <div role="alert">
          <FieldError>{errors.root.message}</FieldError>
        </div>
      )}
      <Button type="submit" pending={isSubmitting} pendingText="Checking..." className="justify-self-start">
        Have it verified
      </Button>
    </form>
  )
}
