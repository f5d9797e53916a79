-- Written whenever emails leave from a domain that is warmed up.
alter table domain_sendings set (fillfactor = 50);
