-- Whether the link of an invitation was sent to its address only. False in invitations from before, whose links prove no address.
alter table "invitations" add column "is_mailed" boolean not null default false;
