/** Cookie that remembers that the age gate was passed in this browser. Without schemas: static pages read it. */
export const ageCookie = 'age-confirmed'

/** Where the age gate's form is sent: `POST`, with `confirmed=on`. */
export const ageGatePath = '/age-gate'
