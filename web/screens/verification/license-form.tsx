import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useController, useForm } from 'react-hook-form'
import { businessTypeLabels, businessTypes } from '#contracts/business-types.ts'
import { requestVerification } from '#contracts/calls/verification.ts'
import { licenseDay } from '#contracts/time.ts'
import { type LicenseState, VerificationRequest } from '#contracts/verification.ts'
import * as z from '#contracts/zod.ts'
import { DocumentField } from '#web/entities/verification/document-field.tsx'
import { refreshLicense } from '#web/entities/verification/verification.api.ts'
import { requestedWords } from '#web/entities/verification/verification-words.ts'
import { SelectField, TextField } from '#web/forms/fields.tsx'
import { useDraft, withDraft } from '#web/forms/form-draft.ts'
import { isSignedOut, showServerErrors } from '#web/forms/server-errors.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { refreshCurrentUser } from '#web/lib/current-user.ts'
import { stateList } from '#web/lib/state-names.ts'
import { Button } from '#web/ui/button.tsx'
import { FormError } from '#web/ui/field.tsx'
import { textLink } from '#web/ui/link-styles.ts'
import { toast } from '#web/ui/toast-store.ts'

type Values = Omit<VerificationRequest, 'expiresOn' | 'documentId'> & { expiresOn: string; documentId: string }

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

/** The document is only needed if the register doesn't match. */
export function LicenseForm({ businessId, suggestion }: LicenseFormProps) {
  const client = useQueryClient()
  const subject = `license.${businessId}`
  const form = useForm<Values, unknown, VerificationRequest>({
    defaultValues: withDraft<Values>(subject, { ...suggestion, expiresOn: '', documentId: '' }),
    resolver: standardSchemaResolver(FormSchema),
    mode: 'onTouched',
  })
  const dropDraft = useDraft(form, subject)
  const [links, setLinks] = useState<ApiError['links']>([])
  const [isUploading, setUploading] = useState(false)
  const document = useController({ control: form.control, name: 'documentId' })

  const submit = form.handleSubmit(async (body) => {
    setLinks([])
    try {
      const verification = await call(requestVerification, { params: { id: businessId }, body })
      dropDraft()
      toast(requestedWords(verification))
      await refreshLicense(client)
    } catch (error) {
      if (error instanceof ApiError) setLinks(error.links)
      const rest = showServerErrors(form, error, fields)
      if (rest) form.setError('root', { message: rest })
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
          hint="The legal or trade name, exactly as it appears on the license."
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
          hint="If the register lists a date, that date applies."
          type="date"
          min={licenseDay(new Date())}
        />
      </div>
      <DocumentField
        id={document.field.value}
        onChange={document.field.onChange}
        onBusy={setUploading}
        error={document.fieldState.error?.message}
        ref={document.field.ref}
      />
      {links.map(({ title, path }) => (
        <Link key={path} to={path} className={`${textLink} justify-self-start`}>
          {title}
        </Link>
      ))}
      <FormError>{errors.root?.message}</FormError>
      <Button
        type="submit"
        pending={isSubmitting || isUploading}
        pendingText={isSubmitting ? 'Checking...' : 'Uploading...'}
        className="justify-self-start"
      >
        Verify license
      </Button>
    </form>
  )
}
