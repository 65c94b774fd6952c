import type { ComponentProps, ReactNode } from 'react'
import { type Control, type FieldPath, type FieldValues, useController } from 'react-hook-form'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { Select } from '../../ui/select.tsx'
import { Textarea } from '../../ui/textarea.tsx'
import { withScheme } from './web-address.ts'

export type BoundField<Values extends FieldValues, Output> = {
  control: Control<Values, unknown, Output>
  name: FieldPath<Values>
  label: ReactNode
  hint?: ReactNode
  optional?: boolean | undefined
}

type Bound<Values extends FieldValues, Output, Props> = BoundField<Values, Output> &
  Omit<Props, keyof BoundField<Values, Output> | 'value' | 'defaultValue' | 'ref'>

/** A field of a form, tied to its value and its error. */
export function TextField<Values extends FieldValues, Output>({
  control,
  name,
  label,
  hint,
  optional,
  className,
  ...input
}: Bound<Values, Output, ComponentProps<typeof Input>>) {
  const { field, fieldState } = useController({ control, name })
  return (
    <Field label={label} hint={hint} optional={optional} error={fieldState.error?.message} className={className}>
      <Input {...input} {...field} />
    </Field>
  )
}

export function TextareaField<Values extends FieldValues, Output>({
  control,
  name,
  label,
  hint,
  optional,
  className,
  ...textarea
}: Bound<Values, Output, ComponentProps<typeof Textarea>>) {
  const { field, fieldState } = useController({ control, name })
  return (
    <Field label={label} hint={hint} optional={optional} error={fieldState.error?.message} className={className}>
      <Textarea {...textarea} {...field} />
    </Field>
  )
}

export function SelectField<Values extends FieldValues, Output>({
  control,
  name,
  label,
  hint,
  optional,
  className,
  children,
  ...select
}: Bound<Values, Output, ComponentProps<typeof Select>>) {
  const { field, fieldState } = useController({ control, name })
  return (
    <Field label={label} hint={hint} optional={optional} error={fieldState.error?.message} className={className}>
      <Select {...select} {...field}>
        {children}
      </Select>
    </Field>
  )
}

/** An address to sign in with: phones offer the right keyboard and leave the case alone. */
export function EmailField<Values extends FieldValues, Output>(
  props: Omit<BoundField<Values, Output>, 'label'> & { autoComplete: string },
) {
  return <TextField {...props} label="Email" type="email" inputMode="email" autoCapitalize="none" spellCheck={false} />
}

/** The address of a site, as people type it: the scheme is put before it when the field is left or the form sent. */
export function WebAddressField<Values extends FieldValues, Output>({
  control,
  name,
  label,
  hint,
  optional,
  ...input
}: Bound<Values, Output, ComponentProps<typeof Input>>) {
  const { field, fieldState } = useController({ control, name })
  const complete = () => {
    const full = withScheme(field.value)
    if (full !== field.value) field.onChange(full)
  }
  return (
    <Field label={label} hint={hint} optional={optional} error={fieldState.error?.message}>
      <Input
        type="url"
        placeholder="https://"
        {...input}
        {...field}
        onBlur={() => {
          complete()
          field.onBlur()
        }}
        onKeyDown={(event) => event.key === 'Enter' && complete()}
      />
    </Field>
  )
}
