import type { SignUpValues } from '#web/entities/accounts/sign-up-schema.ts'

export type WizardStep = 'account-type' | 'birthday' | 'basic-info' | 'business-info'

export function stepsFor(accountType: SignUpValues['accountType']): WizardStep[] {
  const steps: WizardStep[] = ['account-type', 'birthday', 'basic-info']
  return accountType === 'business' ? [...steps, 'business-info'] : steps
}

const filled = (text: string) => text.trim() !== ''

/** Whether a step's button is enabled. Invalid values are reported on submit. */
export function isFilled(step: WizardStep, values: SignUpValues): boolean {
  switch (step) {
    case 'account-type':
      return true
    case 'birthday':
      return filled(values.birthday)
    case 'basic-info':
      return filled(values.firstName) && filled(values.lastName) && filled(values.email) && values.password !== ''
    case 'business-info':
      return values.businessType !== ''
  }
}

export const fieldsOf: Record<WizardStep, (keyof SignUpValues)[]> = {
  'account-type': ['accountType'],
  birthday: ['birthday'],
  'basic-info': ['firstName', 'lastName', 'email', 'password'],
  'business-info': ['businessType', 'licenseNumber'],
}

/** The first step with one of these fields, to show the server's error there. */
export function stepWith(fields: readonly string[], steps: readonly WizardStep[]): WizardStep | undefined {
  return steps.find((step) => fieldsOf[step].some((field) => fields.includes(field)))
}
