export const fileReceiverNeeds = [
  'A web service takes a POST of CSV or JSON and answers 2xx once it has it. Each POST has an Idempotency-Key: one that it has seen before it takes once.',
  'An SFTP server has a folder that the user may write to. A file is written under another name and renamed once it is whole.',
  'By its schedule a file is sent only when it differs from the last that was accepted; Run now sends it in any case.',
] as const
