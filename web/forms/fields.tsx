import type { ComponentProps, ReactNode } from 'react'
import { type Control, type FieldPath, type FieldValues, useController } from 'react-hook-form'
import { Field } from '#web/ui/field.tsx'
import { Input, Textarea } from '#web/ui/input.tsx'
import { Select } from '#web/ui/select.tsx'

export type BoundField<Values extends FieldValues, Output> = {
  control: Control<Values, unknown, Output>
  name: FieldPath<Values>
  label: ReactNode
  hint?: ReactNode
  optional?: boolean | undefined
}

type Bound<Values extends FieldValues, Output, Props> = BoundField<Values, Output> &
  Omit<Props, keyof BoundField<Values, Output> | 'value' | 'defaultValue' | 'ref'>

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

export function EmailField<Values extends FieldValues, Output>(
  props: Omit<BoundField<Values, Output>, 'label'> & { autoComplete: string },
) {
  return <TextField {...props} label="Email" type="email" inputMode="email" autoCapitalize="none" spellCheck={false} />
}

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

/** "example.com" → "https://example.com". Doesn't change other input. */
export function withScheme(typed: string): string {
  const text = typed.trim()
  return /^[^\s:/@.]+(\.[^\s:/@.]+)+([:/?#]\S*)?$/.test(text) ? `https://${text}` : typed
}
