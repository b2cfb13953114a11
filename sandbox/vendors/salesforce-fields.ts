/** The objects of the emulated Salesforce, and its rules for values. */

export type SalesforceType = 'Account' | 'Contact' | 'Opportunity' | 'OpportunityContactRole'
export type SalesforceRow = { Id: string } & Record<string, unknown>
export type FieldDefinition = {
  type: 'Text' | 'LongTextArea' | 'Number' | 'Date' | 'Email' | 'Reference' | 'Checkbox'
  length?: number
  unique?: boolean
  externalId?: boolean
}
export type SaveError = { statusCode: string; message: string; fields: string[] }

const text = (length: number): FieldDefinition => ({ type: 'Text', length })

export const STANDARD: Record<SalesforceType, Record<string, FieldDefinition>> = {
  Account: {
    Name: text(255),
    Website: text(255),
    NumberOfEmployees: { type: 'Number' },
    Industry: text(255),
    Description: { type: 'LongTextArea', length: 32_000 },
    Type: text(255),
    BillingCountry: text(80),
    OwnerId: { type: 'Reference' },
  },
  Contact: {
    FirstName: text(40),
    LastName: text(80),
    Email: { type: 'Email', length: 80 },
    Title: text(128),
    Phone: text(40),
    AccountId: { type: 'Reference' },
    MailingCountry: text(80),
    OwnerId: { type: 'Reference' },
  },
  Opportunity: {
    Name: text(120),
    AccountId: { type: 'Reference' },
    StageName: text(255),
    Amount: { type: 'Number' },
    CloseDate: { type: 'Date' },
    IsClosed: { type: 'Checkbox' },
    IsWon: { type: 'Checkbox' },
    OwnerId: { type: 'Reference' },
  },
  OpportunityContactRole: {
    OpportunityId: { type: 'Reference' },
    ContactId: { type: 'Reference' },
    Role: text(40),
    IsPrimary: { type: 'Checkbox' },
  },
}

/** Fields that Salesforce fills. */
export const SYSTEM_FIELDS = ['Id', 'CreatedDate', 'SystemModstamp', 'IsDeleted']
/** Objects whose records can be merged have the id of the remaining record in a deleted one. */
export const MERGEABLE = ['Account', 'Contact']

/** The stages of opportunities. */
export const STAGES: Record<string, { IsClosed: boolean; IsWon: boolean }> = {
  Prospecting: { IsClosed: false, IsWon: false },
  Qualification: { IsClosed: false, IsWon: false },
  'Value Proposition': { IsClosed: false, IsWon: false },
  'Negotiation/Review': { IsClosed: false, IsWon: false },
  'Closed Won': { IsClosed: true, IsWon: true },
  'Closed Lost': { IsClosed: true, IsWon: false },
}

export const TASK_FIELDS: Record<string, FieldDefinition> = {
  Subject: text(255),
  Description: { type: 'LongTextArea', length: 32_000 },
  ActivityDate: { type: 'Date' },
  Status: text(40),
  Priority: text(40),
  OwnerId: { type: 'Reference' },
  WhatId: { type: 'Reference' },
  WhoId: { type: 'Reference' },
}

const REQUIRED: Record<SalesforceType, string> = {
  Account: 'Name',
  Contact: 'LastName',
  Opportunity: 'Name',
  OpportunityContactRole: 'ContactId',
}

/** Errors in a record, as Salesforce words them; null without errors. */
export function checkRecord(
  type: SalesforceType,
  fields: ReadonlyMap<string, FieldDefinition>,
  values: Record<string, unknown>,
  isNew: boolean,
  holder: (name: string, value: string) => SalesforceRow | undefined,
  self: string | null,
): SaveError | null {
  const required = REQUIRED[type]
  if ((isNew || required in values) && !values[required]) {
    return {
      statusCode: 'REQUIRED_FIELD_MISSING',
      message: `Required fields are missing: [${required}]`,
      fields: [required],
    }
  }
  for (const [name, value] of Object.entries(values)) {
    const field = fields.get(name)
    if (!field || value === null || value === undefined) continue
    const wrong = shapeError(name, value, field)
    if (wrong) return { ...wrong, fields: [name] }
    const found = field.unique ? holder(name, String(value)) : undefined
    if (found && found.Id !== self) {
      const message = `duplicate value found: ${name} duplicates value on record with id: ${found.Id.slice(0, 15)}`
      return { statusCode: 'DUPLICATE_VALUE', message, fields: [] }
    }
  }
  return null
}

export function shapeError(
  name: string,
  value: unknown,
  { type, length }: FieldDefinition,
): Omit<SaveError, 'fields'> | null {
  if (type === 'Number' && typeof value !== 'number') {
    return {
      statusCode: 'JSON_PARSER_ERROR',
      message: `Cannot deserialize instance of double from VALUE_STRING value ${value}`,
    }
  }
  if (type !== 'Number' && typeof value !== 'string') {
    return { statusCode: 'JSON_PARSER_ERROR', message: `Cannot deserialize instance of string from value ${value}` }
  }
  if (length && String(value).length > length) {
    return {
      statusCode: 'STRING_TOO_LONG',
      message: `${name}: data value too large: ${String(value).slice(0, 20)} (max length=${length})`,
    }
  }
  if (type === 'Email' && !/^[^\s@]+@[^\s@]+\.[a-z]{2,}$/i.test(String(value))) {
    return { statusCode: 'INVALID_EMAIL_ADDRESS', message: `${name}: invalid email address: ${value}` }
  }
  if (type === 'Date' && !/^\d{4}-\d\d-\d\d$/.test(String(value))) {
    return {
      statusCode: 'JSON_PARSER_ERROR',
      message: `Cannot deserialize instance of date from VALUE_STRING value ${value}`,
    }
  }
  return null
}

const DESCRIBED: Record<string, string> = {
  Text: 'string',
  LongTextArea: 'textarea',
  Number: 'double',
  Date: 'date',
  Email: 'email',
  Checkbox: 'boolean',
}

/** What a describe says of a field; system fields have no definition and cannot be written. */
export function describeField(definition: (FieldDefinition & { label?: string }) | undefined) {
  const isWritable = definition !== undefined
  return {
    ...{ createable: isWritable, updateable: isWritable, unique: definition?.unique ?? false },
    ...{ length: definition?.length ?? 0, type: DESCRIBED[definition?.type ?? ''] ?? 'reference' },
    ...(definition?.label ? { label: definition.label } : {}),
  }
}
